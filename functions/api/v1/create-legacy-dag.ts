import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { LegacyAnswer } from '#lib/api/legacy/schemas.ts'
import { changeOf } from '#lib/api/requests/change-of.ts'
import { NewFileName } from '#lib/api/schemas/names.ts'
import { createDag } from '#lib/dags/create-dag.ts'
import { refuseOwned } from '#lib/dags/owning-files.ts'

export const createLegacyDag = defineRoute({
  method: 'post',
  path: '/dags',
  operationId: 'createLegacyDag',
  summary: 'Create a DAG with a single echo step',
  access: 'write',
  status: 200,
  errors: ['bad_request', 'already_exists', 'read_only'],
  body: v.object({ action: v.literal('new', 'must be new'), value: NewFileName }),
  response: LegacyAnswer,
  async handle({ body, headers, caller }, { db, defaults }) {
    await refuseOwned(db, body.value)
    const change = changeOf(caller, headers)
    await createDag(db, { ...(await defaults()), fileName: body.value, change })
    return { DagID: body.value }
  },
})
