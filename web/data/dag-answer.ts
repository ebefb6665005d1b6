import type { Answer } from '#lib/client/client.ts'

/** A DAG as the service shows it, with its params. */
export type DagAnswer = Extract<Answer<'getDag'>, { status: 200 }>['body']

/** What the service says of a text: its problems and steps, and, where it was asked, what a run would do. */
export type PlanAnswer = Extract<Answer<'validateDag'>, { status: 200 }>['body']
