import { triggeredBy } from '#lib/api/requests/triggered-by.ts'
import { defineRoute } from '#lib/api/define-route.ts'
import { idempotencyKey } from '#lib/api/requests/idempotency-key.ts'
import { RetryBody } from '#lib/api/schemas/bodies.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { rerun } from '#lib/runs/start/rerun.ts'

export const retryDagRun = defineRoute({
  method: 'post',
  path: '/dag-runs/{name}/{dagRunId}/retry',
  operationId: 'retryDagRun',
  summary: 'Retry the unsuccessful steps under the same id, or repeat the whole run under another id',
  access: 'run',
  idempotent: true,
  status: 200,
  errors: ['bad_request', 'not_found', 'already_running', 'already_exists'],
  errorStatus: { already_running: 400 },
  params: RunPath,
  body: RetryBody,
  async handle({ params, body, headers, caller }, { db, definitions, now }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    await rerun(db, definitions, {
      run,
      ...triggeredBy(caller),
      newRunId: body.dagRunId || run.runId,
      ...(body.stepName !== undefined && { stepName: body.stepName }),
      now: now(),
      idempotencyKey: idempotencyKey(headers, 'retryDagRun'),
    })
  },
})
