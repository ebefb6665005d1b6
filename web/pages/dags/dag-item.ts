import type { Answer } from '#lib/client/client.ts'

export type DagsAnswer = Extract<Answer<'listDags'>, { status: 200 }>['body']
export type DagItem = DagsAnswer['dags'][number]
