import { defineRoute } from '#lib/api/define-route.ts'
import { changeOf } from '#lib/api/requests/change-of.ts'
import { CreateDagBody } from '#lib/api/schemas/bodies.ts'
import { CreateDagAnswer } from '#lib/api/schemas/dag.ts'
import { createDag as create } from '#lib/dags/create-dag.ts'
import { refuseOwned } from '#lib/dags/owning-files.ts'

export const createDag = defineRoute({
  method: 'post',
  path: '/dags',
  operationId: 'createDag',
  summary: 'Create a DAG; without a spec, one with a single echo step',
  access: 'write',
  status: 201,
  errors: ['bad_request', 'already_exists', 'read_only'],
  body: CreateDagBody,
  response: CreateDagAnswer,
  async handle({ body, headers, caller }, { db, defaults }) {
    await refuseOwned(db, body.name)
    const change = changeOf(caller, headers, body.message)
    const file = { fileName: body.name, spec: body.spec, change }
    const { warnings } = await create(db, { ...(await defaults()), ...file })
    return { name: body.name, warnings: [...warnings] }
  },
})
