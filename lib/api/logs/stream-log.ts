import type { InferOutput } from 'valibot'
import type { RunStep } from '#lib/runs/steps/find-step.ts'
import { addressOf, type RunRecord } from '#lib/runs/read/run-record.ts'
import { NoContent } from '../define-route.ts'
import type { EventStream } from '#lib/api/streams/event-stream.ts'
import { findLogPosition, followLog, hasSeenLog } from '#lib/api/streams/follow-log.ts'
import { runLogState, stepLogState, type LogState } from './log-state.ts'
import type { PositionQuery, StreamQuery } from '../schemas/log.ts'
import type { Services } from '../services.ts'

interface Call<Query> {
  readonly query: Query
  readonly headers: Headers
}

/** Follows the log of a run; no content for a client that has everything. @throws ServiceError `bad_request` */
export async function streamRunLog(
  { logs, watch }: Pick<Services, 'logs' | 'watch'>,
  run: RunRecord,
  call: Call<InferOutput<typeof PositionQuery>>,
): Promise<EventStream | NoContent> {
  const look = async () => runLogState((await watch.state(addressOf(run))).run, call.query)
  return await stream(logs, look, call)
}

/** Follows a stream of a step; no content for a client that has everything. @throws ServiceError `bad_request` */
export async function streamStepLog(
  { logs, watch }: Pick<Services, 'logs' | 'watch'>,
  { run, planned }: RunStep,
  call: Call<InferOutput<typeof StreamQuery>>,
): Promise<EventStream | NoContent> {
  const look = async () => {
    const state = await watch.state(addressOf(run))
    return stepLogState({ ...state, planned, record: state.steps.get(planned.step.name) }, call.query)
  }
  return await stream(logs, look, call)
}

async function stream(
  logs: Services['logs'],
  look: () => Promise<LogState>,
  { query, headers }: Call<InferOutput<typeof PositionQuery>>,
): Promise<EventStream | NoContent> {
  const state = await look()
  const position = await findLogPosition(logs, state.key, headers.get('last-event-id'), query)
  return (await hasSeenLog(logs, state, position)) ? new NoContent() : followLog(logs, look, position)
}
