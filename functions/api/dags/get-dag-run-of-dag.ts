import { defineRoute } from '#lib/api/define-route.ts'
import { presentRun } from '#lib/api/present/run.ts'
import { DagRunOfDagPath } from '#lib/api/schemas/names.ts'
import { RunOfDagAnswer } from '#lib/api/schemas/run.ts'
import { getDag } from '#lib/dags/get-dag.ts'
import { getRun } from '#lib/runs/get-run.ts'
import { loadRun } from '#lib/runs/load-run.ts'

export const getDagRunOfDag = defineRoute({
  method: 'get',
  path: '/dags/{fileName}/dag-runs/{dagRunId}',
  operationId: 'getDagRunOfDag',
  summary: 'Show one run of a DAG',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: DagRunOfDagPath,
  reply: RunOfDagAnswer,
  async handle({ params }, { db, logs, definitions }) {
    const dag = await getDag(db, params.fileName)
    const run = await getRun(db, { dagName: dag.dagName, runId: params.dagRunId })
    return { dagRun: presentRun(await loadRun(db, definitions, run), logs) }
  },
})
