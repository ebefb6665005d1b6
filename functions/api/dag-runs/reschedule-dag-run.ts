import { triggeredBy } from '#lib/api/requests/triggered-by.ts'
import { defineRoute } from '#lib/api/define-route.ts'
import { idempotencyKey } from '#lib/api/requests/idempotency-key.ts'
import { RescheduleBody } from '#lib/api/schemas/bodies.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { RescheduleAnswer } from '#lib/api/schemas/run.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { startAgain } from '#lib/runs/start/start-again.ts'

export const rescheduleDagRun = defineRoute({
  method: 'post',
  path: '/dag-runs/{name}/{dagRunId}/reschedule',
  operationId: 'rescheduleDagRun',
  summary: 'Start a new run with the definition and params of this one',
  access: 'run',
  idempotent: true,
  status: 200,
  errors: ['bad_request', 'not_found', 'already_exists', 'already_running'],
  params: RunPath,
  body: RescheduleBody,
  response: RescheduleAnswer,
  async handle({ params, body, headers, caller }, { db, definitions, now }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const { dagRunId } = await startAgain(db, definitions, {
      ...body,
      run,
      ...triggeredBy(caller),
      now: now(),
      idempotencyKey: idempotencyKey(headers, 'rescheduleDagRun'),
    })
    return { dagRunId, queued: false }
  },
})
