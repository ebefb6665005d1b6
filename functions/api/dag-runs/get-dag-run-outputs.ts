import { defineRoute } from '#lib/api/define-route.ts'
import { presentOutputs } from '#lib/api/present/outputs.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { OutputsAnswer } from '#lib/api/schemas/run.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { readOutputs } from '#lib/runs/read/read-outputs.ts'

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
  async handle({ params }, { db, definitions, labels }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const [definition, outputs] = await Promise.all([definitions.read(db, run), readOutputs(db, run.runKey)])
    return presentOutputs({ run, definition }, outputs, labels)
  },
})
