import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { presentDagList } from '#lib/api/present/dag-list.ts'
import { DagList } from '#lib/api/schemas/dag.ts'
import { WholeNumber } from '#lib/api/schemas/numbers.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { listDags as list } from '#lib/runs/read/list-dags-with-runs.ts'

export const listDags = defineRoute({
  method: 'get',
  path: '/dags',
  operationId: 'listDags',
  summary: 'List DAGs, a page at a time',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: v.object({
    page: v.exactOptional(WholeNumber),
    perPage: v.exactOptional(WholeNumber),
    name: v.exactOptional(v.pipe(v.string(), v.description('Part of the file name, in any case'))),
    tag: v.exactOptional(v.pipe(v.string(), v.description('A tag, in any case'))),
    sort: v.exactOptional(v.picklist(['name', 'nextRun'], 'must be name or nextRun')),
    runs: v.exactOptional(v.pipe(WholeNumber, v.description('Newest runs of each DAG to show, at most 30'))),
    order: v.exactOptional(v.picklist(['asc', 'desc'], 'must be asc or desc')),
  }),
  reply: DagList,
  async handle({ query, caller }, services) {
    return presentDagList(await list(services.db, query), { ...services, view: viewOf(caller) })
  },
})
