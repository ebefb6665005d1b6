import type { Answer } from '#lib/client/client.ts'

type RunnersAnswer = Extract<Answer<'listWorkers'>, { status: 200 }>['body']
export type Runner = RunnersAnswer['workers'][number]
export type Unserved = NonNullable<RunnersAnswer['unservedDags']>
