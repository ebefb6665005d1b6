import { useData } from '../../data/page-data.ts'
import type { RunDetails } from '../../data/run-calls.ts'

/** Of a run that ended badly: the last success of its DAG, and whether the definition has changed since. */
export function SinceSuccess({ run }: { readonly run: RunDetails }) {
  const { links } = useData()
  const last = run.lastSuccess
  if (last === undefined) return null
  return (
    <div class="run-facts-fact">
      <dt>Last success</dt>
      <dd>
        <a href={links.run(run.name, last.dagRunId)}>{last.dagRunId.slice(0, 8)}</a>
        {last.specHash === run.specHash ? ', same definition' : ', the definition has changed since'}
      </dd>
    </div>
  )
}
