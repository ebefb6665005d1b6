import { defineRoute } from '#lib/api/define-route.ts'
import { SuspendBody } from '#lib/api/schemas/bodies.ts'
import { DagPath } from '#lib/api/schemas/names.ts'
import { setSuspended } from '#lib/dags/set-suspended.ts'

export const suspendDag = defineRoute({
  method: 'post',
  path: '/dags/{fileName}/suspend',
  operationId: 'suspendDag',
  summary: 'Suspend or resume the schedule of a DAG',
  access: 'run',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: DagPath,
  body: SuspendBody,
  async handle({ params, body }, { db }) {
    await setSuspended(db, { fileName: params.fileName, suspended: body.suspend })
  },
})
