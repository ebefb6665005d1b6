import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useData } from '../../data/page-data.ts'
import type { RunOutline } from '../../data/run-calls.ts'
import type { Links, RunAddress } from '../../model/links.ts'
import { runState, stateWord } from '../../model/states.ts'
import { RunActions } from '../../parts/run-actions/run-actions.tsx'
import { StateMark } from '../../parts/state-mark/state-mark.tsx'

interface Props {
  readonly address: RunAddress
  readonly run: RunOutline
  readonly onAgain: () => void
}

/** The name of a run, its state, and what can be done about it. */
export function RunHead({ address, run, onAgain }: Props) {
  const { links } = useData()
  const state = runState(run.status)
  return (
    <PageHead
      crumb={
        <>
          <a href={links.runs}>Runs</a> / <Ancestors address={address} run={run} />
        </>
      }
      title={run.name}
      name={`${stateWord(state)} · ${run.name} ${run.dagRunId.slice(0, 8)}`}
    >
      <span class="run-page-state" role="status" aria-label="State">
        <StateMark state={state} />
        {stateWord(state)}
      </span>
      <span class="run-page-space" />
      {address.childId === undefined && address.attempt === undefined && (
        <>
          <RunActions run={address} state={state} onAgain={onAgain} />
          <a
            class="run-page-compare"
            href={compareHref(links, run)}
            title="with the last success, or else the previous run"
          >
            Compare
          </a>
        </>
      )}
    </PageHead>
  )
}

function compareHref(links: Links, { name, dagRunId, lastSuccess }: RunOutline): string {
  const before = lastSuccess && `${name}/${lastSuccess.dagRunId}`
  return links.compare(before, `${name}/${dagRunId}`)
}

/** The DAG of a root run; of a run below one, the runs above it. */
function Ancestors({ address, run }: Pick<Props, 'address' | 'run'>) {
  const { links } = useData()
  if (address.childId === undefined) return <a href={links.dag(run.fileName ?? run.name)}>{run.name}</a>
  const { rootDAGRunId: rootId, parentDAGRunId: parentId } = run
  return (
    <>
      <a href={links.runAt({ name: address.name, runId: address.runId })}>
        {run.rootDAGRunName} {rootId.slice(0, 8)}
      </a>
      {parentId !== rootId && (
        <>
          {' / '}
          <a href={links.runAt({ ...address, childId: parentId })}>
            {run.parentDAGRunName} {parentId.slice(0, 8)}
          </a>
        </>
      )}
    </>
  )
}
