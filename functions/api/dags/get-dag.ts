import { defineRoute } from '#lib/api/define-route.ts'
import { presentDagAnswer } from '#lib/api/present/dag.ts'
import { presentRun } from '#lib/api/present/run.ts'
import { viewOf, viewed } from '#lib/api/auth/shown-to.ts'
import { DagAnswer } from '#lib/api/schemas/dag.ts'
import { FoundDagPath } from '#lib/api/schemas/names.ts'
import { findDag } from '#lib/dags/get-dag.ts'
import { currentRun } from '#lib/runs/read/current-run.ts'
import { loadRun } from '#lib/runs/read/load-run.ts'

export const getDag = defineRoute({
  method: 'get',
  path: '/dags/{fileName}',
  operationId: 'getDag',
  summary: 'Show a DAG with its steps, its local DAGs and its latest run',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: FoundDagPath,
  response: DagAnswer,
  async handle({ params, caller }, services) {
    const { db, definitions } = services
    const dag = await findDag(db, params.fileName)
    const { zone } = await services.defaults()
    const run = await currentRun(db, dag.dagName)
    const view = viewOf(caller)
    const details = run && presentRun(viewed(await loadRun(db, definitions, run), view), services)
    return presentDagAnswer(dag, details, { ...services, view, zone })
  },
})
