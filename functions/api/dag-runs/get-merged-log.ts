import { defineRoute } from '#lib/api/define-route.ts'
import { mergedLog } from '#lib/api/logs/merged-log.ts'
import { MergedLines, MergedLogQuery } from '#lib/api/schemas/log.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { loadRun } from '#lib/runs/read/load-run.ts'

export const getMergedLog = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/log/steps',
  operationId: 'getMergedLog',
  summary: 'Return the output of all steps of a run, in chronological order',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  query: MergedLogQuery,
  response: MergedLines,
  responseType: 'application/x-ndjson',
  async handle({ params, query }, services) {
    const run = await getRun(services.db, { dagName: params.name, runId: params.dagRunId })
    return mergedLog(services, await loadRun(services.db, services.definitions, run), query)
  },
})
