import { defineRoute } from '#lib/api/define-route.ts'
import { presentOutputs } from '#lib/api/present/outputs.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { OutputsAnswer } from '#lib/api/schemas/run.ts'
import { loadRootRun } from '#lib/runs/load-run.ts'

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
    const ref = { dagName: params.name, runId: params.dagRunId }
    return presentOutputs(await loadRootRun(db, definitions, ref), labels)
  },
})
