import type { Answer } from '#lib/client/client.ts'

export type QueueFacts = Extract<Answer<'getQueue'>, { status: 200 }>['body']['queue']
export type QueueItems = Extract<Answer<'listQueueItems'>, { status: 200 }>['body']
export type QueueItem = QueueItems['items'][number]
