import { defineRoute } from '#lib/api/define-route.ts'
import { presentReasons } from '#lib/api/present/reasons.ts'
import { viewOf, viewed } from '#lib/api/shown-to.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { WhyAnswer } from '#lib/api/schemas/run.ts'
import { explainRun } from '#lib/runs/explain-run.ts'
import { loadRootRun } from '#lib/runs/load-run.ts'

export const explainDagRun = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/why',
  operationId: 'explainDagRun',
  summary: 'Say what a run waits for, or what has ended it',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: RunPath,
  reply: WhyAnswer,
  async handle({ params, caller }, { db, definitions, labels }) {
    const ref = { dagName: params.name, runId: params.dagRunId }
    const state = viewed(await loadRootRun(db, definitions, ref), viewOf(caller))
    return presentReasons(state.run, await explainRun(db, state), labels)
  },
})
