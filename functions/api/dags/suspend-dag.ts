import { defineRoute } from '#lib/api/define-route.ts'
import { triggeredBy } from '#lib/api/requests/triggered-by.ts'
import { SuspendBody } from '#lib/api/schemas/bodies.ts'
import { FoundDagPath } from '#lib/api/schemas/names.ts'
import { findDag } from '#lib/dags/get-dag.ts'
import { setSuspended } from '#lib/dags/set-suspended.ts'

export const suspendDag = defineRoute({
  method: 'post',
  path: '/dags/{fileName}/suspend',
  operationId: 'suspendDag',
  summary: 'Suspend or resume the schedule of a DAG',
  access: 'run',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: FoundDagPath,
  body: SuspendBody,
  async handle({ params, body, caller, noteChanges }, { db }) {
    const { fileName, suspended } = await findDag(db, params.fileName)
    await setSuspended(db, { fileName, suspended: body.suspend, by: triggeredBy(caller).triggeredBy })
    if (suspended !== body.suspend) {
      noteChanges([{ field: 'suspended', before: String(suspended), after: String(body.suspend) }])
    }
  },
})
