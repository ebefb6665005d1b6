import { defineRoute } from '#lib/api/define-route.ts'
import { LegacyPath } from '#lib/api/legacy/schemas.ts'
import { changeOf } from '#lib/api/requests/change-of.ts'
import { deleteDag } from '#lib/dags/delete-dag.ts'
import { refuseOwned } from '#lib/dags/owning-files.ts'

export const deleteLegacyDag = defineRoute({
  method: 'delete',
  path: '/dags/{name}',
  operationId: 'deleteLegacyDag',
  summary: 'Delete a DAG; its runs stay in the history',
  access: 'write',
  status: 200,
  errors: ['bad_request', 'not_found', 'read_only'],
  params: LegacyPath,
  async handle({ params, headers, caller }, { db }) {
    await refuseOwned(db, params.name)
    await deleteDag(db, params.name, changeOf(caller, headers))
  },
})
