import { useLocation, useRoute } from 'preact-iso/router'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { CallFailure } from '../../data/call.ts'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { callsAbout, runKey, type RunOutline } from '../../data/run-calls.ts'
import { readAttempt, type RunAddress } from '../../model/links.ts'
import { hasEnded, runState } from '../../model/states.ts'
import { stepRows, stepToLookAt } from '../../model/step-rows.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { MergedLog } from './merged-log.tsx'
import { StepLog } from './step-log.tsx'

/** What a step of a run wrote, or all steps in the order of time. */
export function LogPage() {
  const { ask, links } = useData()
  const { params } = useRoute()
  const { name = '', runId = '', childId } = params
  const address = { name, runId, ...(childId !== undefined && { childId }) }
  const run = useQuery(
    runKey(address),
    () => callsAbout(ask, address).outline(),
    (data) => data === undefined || !hasEnded(runState(data.status)),
  )
  if (run.error instanceof CallFailure && run.error.status === 404) {
    return (
      <>
        <PageHead title={name} name={name} />
        <Notice title="This run does not exist, or was removed">
          Its logs were removed with it. See <a href={links.runs}>all runs</a>.
        </Notice>
      </>
    )
  }
  return (
    <Loaded reading={run} what={`run ${childId ?? runId} of ${name}`}>
      {(data) => <Log address={address} run={data} />}
    </Loaded>
  )
}

function Log({ address, run }: { readonly address: RunAddress; readonly run: RunOutline }) {
  const { query } = useLocation()
  const steps = stepRows(run)
  const wanted = steps.find(({ name }) => name === query['step'])
  const isMerged = query['step'] === '' || (wanted !== undefined && query['stream'] === 'both')
  if (isMerged) {
    const isOver = hasEnded(runState(run.status))
    return <MergedLog key={wanted?.name} address={address} steps={steps} row={wanted} isOver={isOver} />
  }
  const row = wanted ?? stepToLookAt(steps) ?? steps[0]
  if (row === undefined) {
    return (
      <>
        <PageHead title="Log" name="Log" />
        <Notice title="This run has no steps" />
      </>
    )
  }
  const stream = query['stream'] === 'stderr' ? 'stderr' : 'stdout'
  const attempt = readAttempt(query['attempt'])
  return (
    <StepLog
      key={`${row.name} ${stream} ${attempt ?? ''}`}
      address={address}
      steps={steps}
      row={row}
      stream={stream}
      {...(attempt !== undefined && { attempt })}
      attempts={run.attempts?.length ?? 1}
    />
  )
}
