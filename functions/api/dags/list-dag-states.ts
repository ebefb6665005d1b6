import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { presentDagStates } from '#lib/api/present/dag-states.ts'
import { DagStates } from '#lib/api/schemas/dag.ts'
import { DagChoiceEntries, dagListOf } from '#lib/api/schemas/dag-filter.ts'
import { limits } from '#lib/core/limits.ts'
import { listDagStates as list } from '#lib/runs/read/list-dag-states.ts'

export const listDagStates = defineRoute({
  method: 'get',
  path: '/dag-states',
  operationId: 'listDagStates',
  summary: 'Show only the status of the newest run of every DAG, by group',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: v.object(DagChoiceEntries),
  response: DagStates,
  async handle({ query }, { db }) {
    return presentDagStates(await list(db, dagListOf(query), limits.dagStatesMax))
  },
})
