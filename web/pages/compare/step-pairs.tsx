import type { RunDetails } from '../../data/run-calls.ts'
import { differenceText, stepPairs, type TimedStep } from '../../model/compare-runs.ts'
import { durationText } from '../../model/durations.ts'
import { stepRows } from '../../model/step-rows.ts'
import { StateSign } from '../../parts/state-mark/state-mark.tsx'

interface Props {
  readonly a: RunDetails
  readonly b: RunDetails
}

/** States and durations of the steps of both runs: two bars each, on one scale. */
export function StepPairs({ a, b }: Props) {
  const rows = stepPairs(stepsOf(a), stepsOf(b))
  return (
    <div class="compare-page-scroll">
      <table class="compare-page-pairs compare-page-steps" aria-label="Steps of both runs">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col" class="compare-page-bars">
              Durations
            </th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, a: before, b: after, aPart, bPart }) => (
            <tr key={name} class={before?.state === after?.state ? '' : 'compare-page-differs'}>
              <th scope="row">{name}</th>
              <StateCell step={before} />
              <StateCell step={after} />
              <td class="compare-page-bars">
                <Bar of="a" part={aPart} ms={before?.tookMs} />
                <Bar of="b" part={bPart} ms={after?.tookMs} />
              </td>
              <td>{differenceText(before?.tookMs, after?.tookMs, durationText)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function StateCell({ step }: { readonly step: TimedStep | undefined }) {
  return step === undefined ? (
    <td class="quiet">not a step</td>
  ) : (
    <td>
      <StateSign state={step.state} />
    </td>
  )
}

interface BarProps {
  readonly of: 'a' | 'b'
  /** Of the longest. */
  readonly part: number
  readonly ms: number | undefined
}

function Bar({ of, part, ms }: BarProps) {
  if (ms === undefined) return <div class="compare-page-took quiet">–</div>
  return (
    <div class="compare-page-took">
      <span class={`compare-page-bar compare-page-bar-${of}`} style={{ inlineSize: `${part * 100}%` }} />
      <span class="compare-page-ms">{durationText(ms)}</span>
    </div>
  )
}

const stepsOf = (run: RunDetails): ReadonlyMap<string, TimedStep> =>
  new Map(stepRows(run).map(({ name, state, tookMs }) => [name, { state, tookMs }]))
