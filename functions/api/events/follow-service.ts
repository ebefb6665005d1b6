import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { followLists } from '#lib/api/live/follow-lists.ts'
import { ListFilterEntries, readTopic } from '#lib/api/live/list-topics.ts'
import { EventText } from '#lib/api/schemas/log.ts'
import { Topics } from '#lib/api/schemas/topics.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'

const rowEvents = {
  dags: 'dag',
  states: 'dag-state',
  runs: 'run',
  queues: 'run',
  workers: 'run',
  overview: 'run',
} as const

export const followService = defineRoute({
  method: 'get',
  path: '/events',
  operationId: 'followService',
  summary:
    'Follow lists: changed rows (dag, dag-state, run), numbers (counts), and requests to reload (reset)',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: v.object({ ...ListFilterEntries, topics: Topics }),
  response: EventText,
  responseType: 'text/event-stream',
  async handle({ query: { topics, ...filter }, headers, caller }, services) {
    const view = viewOf(caller)
    const watched = topics.map((topic) => ({
      topic,
      event: rowEvents[topic],
      name: JSON.stringify([topic, view.name, filter]),
      read: () => readTopic[topic]({ ...services, view }, filter),
    }))
    return followLists(services.sharedPoll, watched, headers.get('last-event-id'))
  },
})
