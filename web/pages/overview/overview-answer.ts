import type { Answer } from '#lib/client/client.ts'

export type Overview = Extract<Answer<'getOverview'>, { status: 200 }>['body']
