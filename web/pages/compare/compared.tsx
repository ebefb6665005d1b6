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
  return (
    <>
      <RunPairs a={a} b={b} />
      <section class="compare-page-part" aria-label="Steps compared">
        <h2>Steps</h2>
        <StepPairs a={a} b={b} />
      </section>
      <section class="compare-page-part" aria-label="Params compared">
        <h2>Params</h2>
        <ValuePairs
          name="Params"
          pairs={pairs(paramsOf(a.params), paramsOf(b.params))}
          none="Neither run has params."
        />
      </section>
      <section class="compare-page-part" aria-label="Outputs compared">
        <h2>Outputs</h2>
        <ValuePairs
          name="Outputs"
          pairs={pairs(outputsOf(a.nodes), outputsOf(b.nodes))}
          none="Neither run has outputs."
        />
      </section>
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
