import { defineRoute } from '#lib/api/define-route.ts'
import { presentRun } from '#lib/api/present/run.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { RunAnswer } from '#lib/api/schemas/run.ts'
import { getRun } from '#lib/runs/get-run.ts'
import { loadRun } from '#lib/runs/load-run.ts'

export const getDagRun = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}',
  operationId: 'getDagRun',
  summary: 'Show a run with its steps',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  reply: RunAnswer,
  async handle({ params }, { db, logs, definitions }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const details = presentRun(await loadRun(db, definitions, run), logs)
    return { dagRun: details, dagRunDetails: details }
  },
})
