import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { legacyKeys } from '#lib/api/legacy/keys.ts'
import { LegacyAnswer } from '#lib/api/legacy/schemas.ts'
import { presentDagList } from '#lib/api/present/dag-list.ts'
import { WholeNumber } from '#lib/api/schemas/numbers.ts'
import { listDags } from '#lib/runs/list-dags-with-runs.ts'

export const listLegacyDags = defineRoute({
  method: 'get',
  path: '/dags',
  operationId: 'listLegacyDags',
  summary: 'List DAGs by name, a page at a time',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: v.object({
    page: v.exactOptional(WholeNumber),
    limit: v.exactOptional(WholeNumber),
    searchName: v.exactOptional(v.string()),
    searchTag: v.exactOptional(v.string()),
  }),
  reply: LegacyAnswer,
  async handle({ query: { limit: perPage, searchName: name, searchTag: tag, page } }, services) {
    const found = await listDags(services.db, { page, perPage, name, tag })
    const { dags, pagination } = presentDagList(found, services)
    const rows = dags.map(({ fileName, dag, latestDAGRun, suspended, errors }) => ({
      File: `${fileName}.yaml`,
      DAG: legacyKeys(dag),
      Status: latestDAGRun.dagRunId === '' ? null : legacyKeys(latestDAGRun),
      Suspended: suspended,
      Error: errors.join('; '),
    }))
    return { DAGs: rows, Errors: [], HasError: false, PageCount: pagination.totalPages }
  },
})
