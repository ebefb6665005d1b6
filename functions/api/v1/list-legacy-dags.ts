import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { legacyDagRows } from '#lib/api/legacy/dag-rows.ts'
import { LegacyAnswer } from '#lib/api/legacy/schemas.ts'
import { presentDagList } from '#lib/api/present/dag-list.ts'
import { WholeNumber } from '#lib/api/schemas/numbers.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { listDags } from '#lib/runs/read/list-dags-with-runs.ts'

export const listLegacyDags = defineRoute({
  method: 'get',
  path: '/dags',
  operationId: 'listLegacyDags',
  summary: 'List DAGs by name, page by page',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: v.object({
    page: v.exactOptional(WholeNumber),
    limit: v.exactOptional(WholeNumber),
    searchName: v.exactOptional(v.string()),
    searchTag: v.exactOptional(v.string()),
  }),
  response: LegacyAnswer,
  async handle({ query, caller }, services) {
    const { limit: perPage, searchName: name, searchTag: tag, page } = query
    const found = await listDags(services.db, { page, perPage, name, tag })
    return legacyDagRows(presentDagList(found, { ...services, view: viewOf(caller) }))
  },
})
