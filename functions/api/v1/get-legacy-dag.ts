import { defineRoute } from '#lib/api/define-route.ts'
import { LegacyAnswer, LegacyPath, LegacyTabQuery } from '#lib/api/legacy/schemas.ts'
import { showLegacyDag } from '#lib/api/legacy/show-dag.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { getDag } from '#lib/dags/get-dag.ts'

export const getLegacyDag = defineRoute({
  method: 'get',
  path: '/dags/{name}',
  operationId: 'getLegacyDag',
  summary: 'Show a DAG: its status, its spec, its history or a log',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: LegacyPath,
  query: LegacyTabQuery,
  response: LegacyAnswer,
  async handle({ params, query, caller }, services) {
    return showLegacyDag(await getDag(services.db, params.name), query, { ...services, view: viewOf(caller) })
  },
})
