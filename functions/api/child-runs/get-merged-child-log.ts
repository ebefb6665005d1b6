import { defineRoute } from '#lib/api/define-route.ts'
import { mergedLog } from '#lib/api/logs/merged-log.ts'
import { MergedLines, MergedLogQuery } from '#lib/api/schemas/log.ts'
import { ChildPath } from '#lib/api/schemas/names.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'
import { loadRun } from '#lib/runs/read/load-run.ts'

export const getMergedChildLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/log/steps',
  operationId: 'getMergedChildLog',
  summary: 'Return the output of all steps of a child run, in chronological order',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: ChildPath,
  query: MergedLogQuery,
  response: MergedLines,
  responseType: 'application/x-ndjson',
  async handle({ params, query }, services) {
    const run = await getChildRun(services.db, params)
    return mergedLog(services, await loadRun(services.db, services.definitions, run), query)
  },
})
