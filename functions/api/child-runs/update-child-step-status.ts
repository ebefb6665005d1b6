import { defineRoute } from '#lib/api/define-route.ts'
import { StepStatusBody } from '#lib/api/schemas/bodies.ts'
import { ChildStepPath } from '#lib/api/schemas/names.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'
import { setStepStatus } from '#lib/runs/steps/set-step-status.ts'

export const updateChildStepStatus = defineRoute({
  method: 'patch',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}/status',
  aliases: ['/dag-runs/{name}/{dagRunId}/sub-dag-runs/{childDAGRunId}/steps/{stepName}/status'],
  operationId: 'updateChildStepStatus',
  summary: 'Set the status of a step of a finished child run by hand',
  access: 'run',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildStepPath,
  body: StepStatusBody,
  async handle({ params, body }, { db, definitions }) {
    const run = await getChildRun(db, params)
    const step = await findStep(db, definitions, { run, stepName: params.stepName })
    await setStepStatus(db, { step, statusCode: body.status })
  },
})
