import { defineRoute } from '#lib/api/define-route.ts'
import { changeOf } from '#lib/api/requests/change-of.ts'
import { RenameBody } from '#lib/api/schemas/bodies.ts'
import { DagPath } from '#lib/api/schemas/names.ts'
import { renameDag as rename } from '#lib/dags/rename-dag.ts'
import { refuseOwned } from '#lib/dags/owning-files.ts'

export const renameDag = defineRoute({
  method: 'post',
  path: '/dags/{fileName}/rename',
  operationId: 'renameDag',
  summary: 'Rename the file of a DAG',
  access: 'write',
  status: 200,
  errors: ['bad_request', 'not_found', 'already_exists', 'already_running', 'read_only'],
  errorStatus: { already_running: 400 },
  params: DagPath,
  body: RenameBody,
  async handle({ params, body, headers, caller, noteChanges }, { db }) {
    await refuseOwned(db, params.fileName, body.newFileName)
    const change = changeOf(caller, headers)
    await rename(db, { fileName: params.fileName, newFileName: body.newFileName, change })
    noteChanges([{ field: 'file name', before: params.fileName, after: body.newFileName }])
  },
})
