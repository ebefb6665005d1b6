import { defineRoute } from '#lib/api/define-route.ts'
import { presentOutputs } from '#lib/api/present/outputs.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { OutputsAnswer } from '#lib/api/schemas/run.ts'
import { viewOf } from '#lib/api/shown-to.ts'
import { getRun } from '#lib/runs/get-run.ts'
import { readOutputs } from '#lib/runs/read-outputs.ts'

export const getDagRunOutputs = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/outputs',
  operationId: 'getDagRunOutputs',
  summary: 'Return the captured outputs of a run',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  reply: OutputsAnswer,
  async handle({ params, caller }, { db, definitions, labels }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const [definition, outputs] = await Promise.all([definitions.read(db, run), readOutputs(db, run.runKey)])
    const view = viewOf(caller)
    const shown = await view.outputs(outputs, definition)
    return presentOutputs({ run, definition: view.definition(definition) }, shown, labels)
  },
})
