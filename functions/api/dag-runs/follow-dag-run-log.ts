import { defineRoute, NoContent } from '#lib/api/define-route.ts'
import { findLogPlace, followLog, hasSeenLog } from '#lib/api/streams/follow-log.ts'
import { runLogKey } from '#lib/logs/log-store.ts'
import { EventText, PlaceQuery } from '#lib/api/schemas/log.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { isFinalRun } from '#lib/core/status.ts'
import { getRun } from '#lib/runs/read/get-run.ts'

export const followDagRunLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/log/stream',
  operationId: 'followDagRunLog',
  summary: 'Follow the log of a run: whole lines (lines), pieces of a very long one (part), then end',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  query: PlaceQuery,
  reply: EventText,
  replyType: 'text/event-stream',
  async handle({ params, query, headers }, { db, logs, watch }) {
    const { dagName, runId } = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const look = async () => {
      const { run } = await watch.state({ dagName, runId })
      return { key: runLogKey(run), isOver: isFinalRun(run.status) }
    }
    const state = await look()
    const place = await findLogPlace(logs, state.key, headers.get('last-event-id'), query)
    return (await hasSeenLog(logs, state, place)) ? new NoContent() : followLog(logs, look, place)
  },
})
