import { useLocation, useRoute } from 'preact-iso/router'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { CallFailure } from '../../data/call.ts'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { eventsPath, patchRun } from '../../model/run-events.ts'
import { callsAbout, runKey, type RunOutline } from '../../data/run-calls.ts'
import { hasEnded, runState } from '../../model/states.ts'
import { readAttempt, type RunAddress } from '../../model/links.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { LatestRun } from './latest-run.tsx'
import { RunView } from './run-view.tsx'

/** Polling interval of an ended run, which another user may retry. */
const endedMs = 15_000

/** One run: its state with the reason, and its steps. */
export function RunPage() {
  const { params } = useRoute()
  const { name = '', runId = '', childId } = params
  const { query } = useLocation()
  if (runId === 'latest' && query['status'] !== undefined && childId === undefined) {
    return <LatestRun name={name} status={query['status']} />
  }
  const attempt = readAttempt(query['attempt'])
  const address = {
    name,
    runId,
    ...(childId !== undefined && { childId }),
    ...(attempt !== undefined && { attempt }),
  }
  return <RunAt address={address} />
}

function RunAt({ address }: { readonly address: RunAddress }) {
  const { ask, links } = useData()
  const { name, runId, childId, attempt } = address
  const reading = useQuery(
    runKey(address),
    () => callsAbout(ask, address).outline(),
    (run) => (run !== undefined && isOver(run) ? endedMs : true),
    true,
    attempt === undefined ? { path: eventsPath(address), patch: patchRun, isOver } : undefined,
  )
  const isGone = reading.error instanceof CallFailure && reading.error.status === 404
  if (isGone) {
    return (
      <>
        <PageHead title={name} name={name} />
        <Notice title="This run does not exist, or was removed">
          Runs are kept as long as their DAG says (histRetentionDays). See <a href={links.runs}>all runs</a>.
        </Notice>
      </>
    )
  }
  return (
    <Loaded reading={reading} what={`run ${childId ?? runId} of ${name}`}>
      {(run) => <RunView key={run.dagRunId} address={address} run={run} />}
    </Loaded>
  )
}

const isOver = (run: RunOutline): boolean => hasEnded(runState(run.status))
