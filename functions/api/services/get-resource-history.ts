import { defineRoute } from '#lib/api/define-route.ts'
import { presentSamples } from '#lib/api/present/resources.ts'
import { ResourceHistory, ResourceQuery } from '#lib/api/schemas/service.ts'

export const getResourceHistory = defineRoute({
  method: 'get',
  path: '/services/resources/history',
  operationId: 'getResourceHistory',
  summary: 'Show the load of the machine that answers, sampled since the first such request to this instance',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: ResourceQuery,
  response: ResourceHistory,
  async handle({ query }, { resources }) {
    return presentSamples(await resources.read(), query.duration)
  },
})
