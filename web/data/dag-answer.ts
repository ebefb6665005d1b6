import type { Answer } from '#lib/client/client.ts'

/** A DAG as the service shows it, with its params. */
export type DagAnswer = Extract<Answer<'getDag'>, { status: 200 }>['body']

/** The check of a text by the service: its problems and steps, and on request the plan of a run. */
export type PlanAnswer = Extract<Answer<'validateDag'>, { status: 200 }>['body']
