import { triggeredBy } from '#lib/api/requests/triggered-by.ts'
import { defineRoute } from '#lib/api/define-route.ts'
import { idempotencyKey } from '#lib/api/requests/idempotency-key.ts'
import { InlineEnqueueBody } from '#lib/api/schemas/bodies.ts'
import { RunIdAnswer } from '#lib/api/schemas/run.ts'
import { traceParent } from '#lib/api/requests/trace-parent.ts'
import { inlineSource } from '#lib/runs/start/inline-source.ts'
import { startRun } from '#lib/runs/start/start-run.ts'

export const enqueueInlineRun = defineRoute({
  method: 'post',
  path: '/dag-runs/enqueue',
  operationId: 'enqueueInlineRun',
  summary: 'Queue a run of the DAG in the request, which is not stored as a file',
  access: 'write',
  idempotent: true,
  status: 200,
  errors: ['bad_request', 'already_exists', 'already_running'],
  body: InlineEnqueueBody,
  response: RunIdAnswer,
  async handle({ body, headers, caller }, { db, definitions, now, defaults }) {
    const { spec, name, ...options } = body
    return startRun(db, definitions, inlineSource(spec, name, (await defaults()).base), {
      mode: 'enqueue',
      trigger: 'api',
      ...triggeredBy(caller),
      now: now(),
      idempotencyKey: idempotencyKey(headers, 'enqueueInlineRun'),
      ...traceParent(headers),
      ...options,
    })
  },
})
