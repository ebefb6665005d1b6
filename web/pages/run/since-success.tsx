import { useData } from '../../data/page-data.ts'
import type { RunOutline } from '../../data/run-calls.ts'
import { choiceQuery } from '../../model/version-choice.ts'

/** For an unsuccessful run: the last success of its DAG, and whether the definition has changed since. */
export function SinceSuccess({ run }: { readonly run: RunOutline }) {
  const { links } = useData()
  const last = run.lastSuccess
  if (last === undefined) return null
  return (
    <div class="run-facts-fact">
      <dt>Last success</dt>
      <dd>
        <a href={links.run(run.name, last.dagRunId)}>{last.dagRunId.slice(0, 8)}</a>
        {last.specHash === run.specHash ? (
          ', same definition'
        ) : (
          <>
            , <Changed run={run} from={last.version} />
          </>
        )}
      </dd>
    </div>
  )
}

/** Leads to what has changed, where both versions are kept. */
function Changed({ run, from }: { readonly run: RunOutline; readonly from: number | undefined }) {
  const { links } = useData()
  const { fileName, version: to } = run
  const words = 'the definition has changed since'
  if (fileName === undefined || to === undefined || from === undefined) return <>{words}</>
  return <a href={links.versions(fileName, choiceQuery({ from, to }))}>{words}</a>
}
