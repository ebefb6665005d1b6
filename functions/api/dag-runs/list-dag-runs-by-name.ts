import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { presentRunList } from '#lib/api/present/run-list.ts'
import { DagNamePath } from '#lib/api/schemas/names.ts'
import { RunFilterEntries } from '#lib/api/schemas/run-filter.ts'
import { RunList } from '#lib/api/schemas/run.ts'

export const listDagRunsByName = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}',
  operationId: 'listDagRunsByName',
  summary: 'List the runs of one DAG, newest first',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  params: DagNamePath,
  query: v.object(RunFilterEntries),
  response: RunList,
  asLines: true,
  async handle({ params, query }, services) {
    return await presentRunList(services, { ...query, name: params.name })
  },
})
