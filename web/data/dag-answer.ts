import type { Answer } from '#lib/client/client.ts'

/** A DAG as the service shows it, with its params. */
export type DagAnswer = Extract<Answer<'getDag'>, { status: 200 }>['body']

/** What a run would do. */
export type PlanAnswer = Extract<Answer<'validateDag'>, { status: 200 }>['body']
