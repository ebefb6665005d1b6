import { defineRoute } from '#lib/api/define-route.ts'
import { changeOf } from '#lib/api/requests/change-of.ts'
import { DagPath } from '#lib/api/schemas/names.ts'
import { deleteDag as remove } from '#lib/dags/delete-dag.ts'
import { refuseOwned } from '#lib/dags/owning-files.ts'

export const deleteDag = defineRoute({
  method: 'delete',
  path: '/dags/{fileName}',
  operationId: 'deleteDag',
  summary: 'Delete a DAG; its runs stay in the history, its versions for 30 days',
  access: 'write',
  status: 204,
  errors: ['bad_request', 'not_found', 'read_only'],
  params: DagPath,
  async handle({ params, headers, caller }, { db }) {
    await refuseOwned(db, params.fileName)
    await remove(db, params.fileName, changeOf(caller, headers))
  },
})
