import { triggeredBy } from '#lib/api/requests/triggered-by.ts'
import { defineRoute } from '#lib/api/define-route.ts'
import { idempotencyKey } from '#lib/api/requests/idempotency-key.ts'
import { EnqueueBody } from '#lib/api/schemas/bodies.ts'
import { FoundDagPath } from '#lib/api/schemas/names.ts'
import { RunIdAnswer } from '#lib/api/schemas/run.ts'
import { traceParent } from '#lib/api/requests/trace-parent.ts'
import { startStoredRun } from '#lib/runs/start/start-run.ts'

export const enqueueDag = defineRoute({
  method: 'post',
  path: '/dags/{fileName}/enqueue',
  operationId: 'enqueueDag',
  summary: 'Queue a run of a DAG',
  access: 'run',
  idempotent: true,
  status: 200,
  errors: ['bad_request', 'not_found', 'already_exists', 'already_running'],
  params: FoundDagPath,
  body: EnqueueBody,
  response: RunIdAnswer,
  async handle({ params, body, headers, caller }, { db, definitions, now }) {
    return startStoredRun(db, definitions, params.fileName, {
      mode: 'enqueue',
      trigger: 'api',
      ...triggeredBy(caller),
      now: now(),
      idempotencyKey: idempotencyKey(headers, 'enqueueDag'),
      ...traceParent(headers),
      ...body,
    })
  },
})
