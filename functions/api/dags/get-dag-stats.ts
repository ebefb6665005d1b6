import { defineRoute } from '#lib/api/define-route.ts'
import { DagStatsAnswer, DagStatsQuery } from '#lib/api/schemas/dag-stats.ts'
import { FoundDagPath } from '#lib/api/schemas/names.ts'
import { limits } from '#lib/core/limits.ts'
import { findDag } from '#lib/dags/get-dag.ts'

export const getDagStats = defineRoute({
  method: 'get',
  path: '/dags/{fileName}/stats',
  operationId: 'getDagStats',
  summary: 'Show success rate and durations of the newest runs of a DAG and of their steps',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: FoundDagPath,
  query: DagStatsQuery,
  response: DagStatsAnswer,
  async handle({ params, query }, { db, dagStats }) {
    const { dagName } = await findDag(db, params.fileName)
    return await dagStats.read(dagName, query.runs ?? limits.historyPageMax)
  },
})
