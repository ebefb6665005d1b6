import type { Answer } from '#lib/client/client.ts'

export type RunDetails = Extract<Answer<'getDagRun'>, { status: 200 }>['body']['dagRun']
