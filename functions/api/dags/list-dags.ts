import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { presentDagList } from '#lib/api/present/dag-list.ts'
import { DagList } from '#lib/api/schemas/dag.ts'
import { DagFilterEntries, dagListOf } from '#lib/api/schemas/dag-filter.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { listDags as list } from '#lib/runs/read/list-dags-with-runs.ts'

export const listDags = defineRoute({
  method: 'get',
  path: '/dags',
  operationId: 'listDags',
  summary: 'List DAGs, page by page',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: v.object(DagFilterEntries),
  response: DagList,
  async handle({ query, caller }, services) {
    return presentDagList(await list(services.db, dagListOf(query)), { ...services, view: viewOf(caller) })
  },
})
