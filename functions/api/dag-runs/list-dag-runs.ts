import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { presentRunList } from '#lib/api/present/run-list.ts'
import { RunDagName, RunFilterEntries } from '#lib/api/schemas/run-filter.ts'
import { RunList } from '#lib/api/schemas/run.ts'

export const listDagRuns = defineRoute({
  method: 'get',
  path: '/dag-runs',
  operationId: 'listDagRuns',
  summary: 'List the runs of all DAGs, newest first',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: v.object({ ...RunFilterEntries, name: RunDagName }),
  response: RunList,
  asLines: true,
  async handle({ query }, services) {
    return await presentRunList(services, query)
  },
})
