import { useState } from 'preact/hooks'
import type { Pair } from '../../model/compare-runs.ts'

interface Props {
  readonly name: string
  readonly pairs: readonly Pair<string>[]
  readonly none: string
}

/** Values of both runs: those that differ and, on request, those that are equal. */
export function ValuePairs({ name, pairs, none }: Props) {
  const [hasEqual, setEqual] = useState(false)
  const equal = pairs.filter(({ a, b }) => a === b).length
  const shown = hasEqual ? pairs : pairs.filter(({ a, b }) => a !== b)
  if (pairs.length === 0) return <p class="quiet">{none}</p>
  return (
    <>
      {equal > 0 && (
        <label class="compare-page-equal">
          <input type="checkbox" checked={hasEqual} onChange={() => setEqual(!hasEqual)} />
          show {equal} equal
        </label>
      )}
      {shown.length > 0 && (
        <div class="compare-page-scroll">
          <table class="compare-page-pairs" aria-label={`${name} of both runs`}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((pair) => (
                <tr key={pair.name} class={pair.a === pair.b ? '' : 'compare-page-differs'}>
                  <th scope="row">{pair.name}</th>
                  {[pair.a, pair.b].map((value, index) => (
                    <td key={index} class="compare-page-value">
                      {value === undefined ? (
                        <span class="quiet">absent</span>
                      ) : (
                        <bdi class="code">{value}</bdi>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
