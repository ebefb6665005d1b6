import { presentBriefRun } from '#lib/api/present/dag-list.ts'
import { defineRoute } from '#lib/api/define-route.ts'
import { NamesAnswer, NamesQuery } from '#lib/api/schemas/search.ts'
import { searchNames as search } from '#lib/runs/search/search-names.ts'

export const searchNames = defineRoute({
  method: 'get',
  path: '/search',
  operationId: 'searchNames',
  summary: 'Find DAGs, runs and steps by their names and ids',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: NamesQuery,
  response: NamesAnswer,
  async handle({ query: { q = '', limit = 8 } }, services) {
    const { dags, runs, steps } = await search(services.db, { text: q.trim(), limit })
    return {
      dags: dags.map((dag) => ({ ...dag, state: dag.state ?? 'never' })),
      runs: runs.map((run) => ({ name: run.dagName, ...presentBriefRun(run, services) })),
      steps: [...steps],
    }
  },
})
