import { Answer, defineRoute } from '#lib/api/define-route.ts'
import { timestamp } from '#lib/api/present/timestamp.ts'
import { Health } from '#lib/api/schemas/system.ts'
import { checkDatabase } from '#lib/runs/counts/check-database.ts'

export const getHealth = defineRoute({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  summary: 'Report whether the service works',
  access: 'public',
  status: 200,
  errors: [],
  response: Health,
  async handle(_input, { db, about, now }) {
    const error = await checkDatabase(db)
    const report = {
      version: about.version,
      uptime: Math.floor((now() - about.startedAt) / 1000),
      timestamp: timestamp(now()),
    }
    if (error === undefined) return { status: 'healthy' as const, ...report }
    return new Answer(
      { status: 'unhealthy' as const, ...report, error },
      { status: 503, headers: { 'retry-after': '2' } },
    )
  },
})
