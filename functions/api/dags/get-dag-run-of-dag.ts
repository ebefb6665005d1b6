import { defineRoute, Json } from '#lib/api/define-route.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { DagRunOfDagPath } from '#lib/api/schemas/names.ts'
import { RunOfDagAnswer } from '#lib/api/schemas/run.ts'
import { findDag } from '#lib/dags/get-dag.ts'

export const getDagRunOfDag = defineRoute({
  method: 'get',
  path: '/dags/{fileName}/dag-runs/{dagRunId}',
  operationId: 'getDagRunOfDag',
  summary: 'Show one run of a DAG',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: DagRunOfDagPath,
  response: RunOfDagAnswer,
  async handle({ params, caller }, { db, runDetails }) {
    const { dagName } = await findDag(db, params.fileName)
    const details = await runDetails.read({ dagName, runId: params.dagRunId }, viewOf(caller))
    return new Json(`{"dagRun":${details}}`)
  },
})
