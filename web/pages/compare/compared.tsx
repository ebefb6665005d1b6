import { useData } from '../../data/page-data.ts'
import { useQuery } from '../../data/cache.ts'
import type { RunDetails } from '../../data/run-calls.ts'
import { outputsOf, pairs, paramsOf } from '../../model/compare-runs.ts'
import { DiffView } from '../../parts/diff-view/diff-view.tsx'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RunPairs } from './run-pairs.tsx'
import { StepPairs } from './step-pairs.tsx'
import { ValuePairs } from './value-pairs.tsx'

interface Props {
  readonly a: RunDetails
  readonly b: RunDetails
}

/** Two runs that were read, with the one before on the left. */
export function Compared({ a, b }: Props) {
  const values = [
    ['Params', pairs(paramsOf(a.params), paramsOf(b.params))],
    ['Outputs', pairs(outputsOf(a.nodes), outputsOf(b.nodes))],
  ] as const
  return (
    <>
      <RunPairs a={a} b={b} />
      <section class="compare-page-part" aria-label="Steps compared">
        <h2>Steps</h2>
        <StepPairs a={a} b={b} />
      </section>
      {values.map(([name, differing]) => (
        <section key={name} class="compare-page-part" aria-label={`${name} compared`}>
          <h2>{name}</h2>
          <ValuePairs name={name} pairs={differing} none={`Neither run has ${name.toLowerCase()}.`} />
        </section>
      ))}
      <section class="compare-page-spec" aria-label="Specs compared">
        <h2>Spec</h2>
        <Specs a={a} b={b} />
      </section>
    </>
  )
}

function Specs({ a, b }: Props) {
  const { ask } = useData()
  const specOf = async ({ name, dagRunId }: RunDetails): Promise<string> =>
    (await ask('getDagRunSpec', { params: { name, dagRunId } })).spec
  const reading = useQuery(['compare', 'specs', a.name, a.dagRunId, b.name, b.dagRunId], async () => {
    const [before, after] = await Promise.all([specOf(a), specOf(b)])
    return { before, after }
  })
  return (
    <Loaded reading={reading} what="the specs">
      {({ before, after }) => <DiffView name="Changes of the spec" before={before} after={after} />}
    </Loaded>
  )
}
