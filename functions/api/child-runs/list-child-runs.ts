import { defineRoute } from '#lib/api/define-route.ts'
import { presentChild } from '#lib/api/present/run.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { ChildrenAnswer } from '#lib/api/schemas/run.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { listChildRuns as list } from '#lib/runs/children/list-child-runs.ts'

export const listChildRuns = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/children',
  aliases: ['/dag-runs/{name}/{dagRunId}/sub-dag-runs'],
  operationId: 'listChildRuns',
  summary: 'List the child runs of a run, oldest first',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  response: ChildrenAnswer,
  async handle({ params }, { db, labels }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    return { subRuns: (await list(db, run.runKey)).map((child) => presentChild(child, labels)) }
  },
})
