import { defineRoute } from '#lib/api/define-route.ts'
import { MetricsText } from '#lib/api/schemas/system.ts'
import { countState } from '#lib/runs/count-state.ts'

export const getMetrics = defineRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'getMetrics',
  summary: 'Metrics in the Prometheus text format',
  access: 'read',
  status: 200,
  errors: [],
  reply: MetricsText,
  replyType: 'text/plain; version=0.0.4; charset=utf-8',
  async handle(_input, { db, metrics, about, now }) {
    const counts = await countState(db)
    return metrics.render({ ...counts, uptimeSeconds: (now() - about.startedAt) / 1000 })
  },
})
