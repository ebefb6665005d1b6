import type { Answer } from '#lib/client/client.ts'

export type DagAnswer = Extract<Answer<'getDag'>, { status: 200 }>['body']
