import { defineRoute } from '#lib/api/define-route.ts'
import { StepStatusBody } from '#lib/api/schemas/bodies.ts'
import { StepPath } from '#lib/api/schemas/names.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { setStepStatus } from '#lib/runs/steps/set-step-status.ts'

export const updateStepStatus = defineRoute({
  method: 'patch',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/status',
  operationId: 'updateStepStatus',
  summary: 'Set the status of a step of a finished run by hand',
  access: 'run',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: StepPath,
  body: StepStatusBody,
  async handle({ params, body }, { db, definitions }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const step = await findStep(db, definitions, { run, stepName: params.stepName })
    await setStepStatus(db, { step, statusCode: body.status })
  },
})
