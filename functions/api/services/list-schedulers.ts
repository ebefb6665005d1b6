import { defineRoute } from '#lib/api/define-route.ts'
import { timestamp } from '#lib/api/present/timestamp.ts'
import { SchedulerList } from '#lib/api/schemas/service.ts'
import { listTickers } from '#lib/tick/list-tickers.ts'

export const listSchedulers = defineRoute({
  method: 'get',
  path: '/services/scheduler',
  operationId: 'listSchedulers',
  summary: 'List the processes that run ticks',
  access: 'read',
  status: 200,
  errors: [],
  response: SchedulerList,
  async handle(_input, { db }) {
    const tickers = await listTickers(db)
    return {
      schedulers: tickers.map(({ id, host, active, startedAt, heartbeatAt }) => ({
        instanceId: id,
        host,
        status: active ? ('active' as const) : ('inactive' as const),
        startedAt: timestamp(startedAt),
        heartbeatAt: timestamp(heartbeatAt),
      })),
    }
  },
})
