import { defineRoute } from '#lib/api/define-route.ts'
import { MetricsText } from '#lib/api/schemas/system.ts'
import { limits } from '#lib/core/limits.ts'
import { measureQueues } from '#lib/queues/measure-queues.ts'
import { countByDag } from '#lib/runs/counts/count-by-dag.ts'
import { countState } from '#lib/runs/counts/count-state.ts'
import { foldEnds } from '#lib/runs/counts/fold-ends.ts'

export const getMetrics = defineRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'getMetrics',
  summary: 'Metrics in the Prometheus text format',
  access: 'read',
  status: 200,
  errors: [],
  response: MetricsText,
  responseType: 'text/plain; version=0.0.4; charset=utf-8',
  async handle(_input, { db, metrics, about, now }) {
    await foldEnds(db, { limit: limits.endsPerFold })
    const [counts, queues, byDag] = await Promise.all([countState(db), measureQueues(db), countByDag(db)])
    return metrics.render({ ...counts, ...queues, uptimeSeconds: (now() - about.startedAt) / 1000 }, byDag)
  },
})
