import { defineRoute } from '#lib/api/define-route.ts'
import { presentProblems } from '#lib/api/present/dag.ts'
import { ValidateBody } from '#lib/api/schemas/bodies.ts'
import { ValidateAnswer } from '#lib/api/schemas/dag.ts'
import { summarizeDag } from '#lib/dags/summarize-dag.ts'
import { readSpec } from '#lib/definition/read-spec.ts'

export const validateDag = defineRoute({
  method: 'post',
  path: '/dags/validate',
  operationId: 'validateDag',
  summary: 'Check a spec without storing it',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  body: ValidateBody,
  reply: ValidateAnswer,
  async handle({ body }) {
    const reading = readSpec(body.spec, { fileName: body.name || 'validated-dag' })
    const errors = presentProblems(reading.problems)
    return { valid: errors.length === 0, errors, dag: summarizeDag(reading.dag) }
  },
})
