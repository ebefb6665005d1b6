import { defineRoute } from '#lib/api/define-route.ts'
import { ErrorsAnswer } from '#lib/api/schemas/dag.ts'
import { FoundDagPath } from '#lib/api/schemas/names.ts'
import { findDag } from '#lib/dags/get-dag.ts'
import { stopAllRuns } from '#lib/runs/stop/stop-all-runs.ts'

export const stopAllDagRuns = defineRoute({
  method: 'post',
  path: '/dags/{fileName}/stop-all',
  operationId: 'stopAllDagRuns',
  summary: 'Stop all active runs of a DAG; queued runs stay queued',
  access: 'run',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: FoundDagPath,
  response: ErrorsAnswer,
  async handle({ params }, { db }) {
    const dag = await findDag(db, params.fileName)
    return { errors: await stopAllRuns(db, dag.dagName) }
  },
})
