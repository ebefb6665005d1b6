import { defineRoute } from '#lib/api/define-route.ts'
import { Overview, OverviewQuery } from '#lib/api/schemas/overview.ts'

const hoursDefault = 24

export const getOverview = defineRoute({
  method: 'get',
  path: '/overview',
  operationId: 'getOverview',
  summary: 'Show running, failed, upcoming and late runs in one response',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: OverviewQuery,
  response: Overview,
  async handle({ query }, { overview }) {
    return await overview.read(query.hours ?? hoursDefault)
  },
})
