import { triggeredBy } from '#lib/api/requests/triggered-by.ts'
import { defineRoute } from '#lib/api/define-route.ts'
import { idempotencyKey } from '#lib/api/requests/idempotency-key.ts'
import { StartBody } from '#lib/api/schemas/bodies.ts'
import { FoundDagPath } from '#lib/api/schemas/names.ts'
import { RunIdAnswer } from '#lib/api/schemas/run.ts'
import { traceParent } from '#lib/api/requests/trace-parent.ts'
import { startStoredRun } from '#lib/runs/start/start-run.ts'

export const startDag = defineRoute({
  method: 'post',
  path: '/dags/{fileName}/start',
  operationId: 'startDag',
  summary: 'Start a run of a DAG without waiting in its queue',
  access: 'run',
  idempotent: true,
  status: 200,
  errors: ['bad_request', 'not_found', 'already_exists', 'already_running'],
  params: FoundDagPath,
  body: StartBody,
  response: RunIdAnswer,
  async handle({ params, body, headers, caller }, { db, definitions, now }) {
    return startStoredRun(db, definitions, params.fileName, {
      mode: 'start',
      trigger: 'api',
      ...triggeredBy(caller),
      now: now(),
      idempotencyKey: idempotencyKey(headers, 'startDag'),
      ...traceParent(headers),
      ...body,
    })
  },
})
