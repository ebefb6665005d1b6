import { EventStream } from '#lib/api/streams/event-stream.ts'
import { listChanges, wholeOf, type ListEvent, type ListState, type RowTopic } from './list-changes.ts'
import type { SharedPoll } from './shared-poll.ts'

export interface WatchedTopic extends RowTopic {
  /** Equal names: equal answers. */
  readonly name: string
  readonly read: () => Promise<ListState>
}

/**
 * Streams what changes in lists. The id of an event names the state of each topic by the entity tag of its list, so any
 * instance can continue after it, and a reader of a list begins with its tag. The first event of each topic is `same`
 * when the client knows its state.
 * @param seen id of the last event that the client received; a topic that it does not name is announced as changed
 */
export function followLists(
  poll: SharedPoll,
  topics: readonly WatchedTopic[],
  seen: string | null,
): EventStream {
  return new EventStream(async function* (signal) {
    const known = new Map<string, ListState>()
    const tags = tagsOf(seen ?? '')
    for await (const [topic, state] of statesOf(poll, topics, signal)) {
      const before = known.get(topic.topic)
      known.set(topic.topic, state)
      const events = before === undefined ? opening(state, topic, tags) : listChanges(before, state, topic)
      const lastId = idOf(tags)
      const id = idOf(tags.set(topic.topic, state.tag))
      // A client that misses some of these events gets them again.
      yield* events.map((event, index) => ({ ...event, id: index === events.length - 1 ? id : lastId }))
    }
  })
}

/** The first event of a topic: whether the client knows its state. */
const opening = (state: ListState, topic: RowTopic, tags: ReadonlyMap<string, string>): ListEvent[] =>
  tags.get(topic.topic) === state.tag
    ? [{ event: 'same', data: { topic: topic.topic } }]
    : [wholeOf(state, topic)]

/** The newest state of each topic. What a slow client has not taken is replaced, so nothing piles up. */
async function* statesOf(
  poll: SharedPoll,
  topics: readonly WatchedTopic[],
  signal: AbortSignal,
): AsyncGenerator<[WatchedTopic, ListState]> {
  const waiting = new Map<WatchedTopic, ListState>()
  let wake = (): void => undefined
  let failure: { readonly error: unknown } | undefined
  const ends = topics.map((topic) =>
    poll<ListState>(topic.name, topic.read, {
      onState: (state) => {
        waiting.set(topic, state)
        wake()
      },
      onError: (error) => {
        failure = { error }
        wake()
      },
    }),
  )
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      if (failure !== undefined) throw failure.error
      const [next] = waiting
      if (next === undefined) {
        await new Promise<void>((resolve) => (wake = resolve))
        continue
      }
      waiting.delete(next[0])
      yield next
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    for (const end of ends) end()
  }
}

const idOf = (tags: ReadonlyMap<string, string>): string =>
  [...tags].map(([topic, tag]) => `${topic}=${tag}`).join(',')

/** Whatever a client sends: unknown words are unknown states. An entity tag may be written as its header has it. */
const tagsOf = (id: string): Map<string, string> =>
  new Map(
    id
      .slice(0, idLengthMax)
      .split(',')
      .flatMap((part) => {
        const [, topic, tag] = /^\s*(\w+)=(?:W\/)?"?([\w-]+)"?\s*$/.exec(part) ?? []
        return topic === undefined || tag === undefined ? [] : [[topic, tag] as const]
      }),
  )

const idLengthMax = 512
