import type { ReadonlySignal } from '@preact/signals'
import type { ReceivedEvent } from '#lib/client/read-events.ts'
import type { Followed, Listener, Topic } from './followed.ts'
import { keepStream } from './stream.ts'

interface Deps {
  /** @param signal aborted when nobody needs the stream */
  readonly send: (path: string, seen: string, signal: AbortSignal) => Promise<Response>
  readonly isReached: ReadonlySignal<boolean>
  readonly setLive: (one: Listener, isLive: boolean) => void
  readonly onRevoked: () => void
}

/** Milliseconds to wait while parts of a page mount and unmount, so that they share one stream. */
const settleMs = 50

/**
 * One stream for all lists of the page. If two lists have the same topic, it follows the first.
 * @returns a function that follows a list, and returns how to end that
 */
export function createListStream({ send, isReached, setLive, onRevoked }: Deps) {
  const wanted = new Set<Followed>()
  const tags = new Map<Topic, string>()
  let followed: readonly Followed[] = []
  let close: (() => void) | undefined
  let timer: number | undefined

  function onEvent({ id, event, data }: ReceivedEvent): void {
    for (const [topic, tag] of tagsOf(id)) tags.set(topic, tag)
    if (event === 'revoked') return onRevoked()
    const topic = topicOf(event, data)
    const one = followed.find((candidate) => candidate.topic === topic)
    if (one === undefined) return
    setLive(one, true)
    if (event !== 'same') one.onEvent({ id, event, data })
  }
  function onEnd(): void {
    for (const one of followed) setLive(one, false)
  }
  function settle(): void {
    const next = [...new Map([...wanted].toReversed().map((one) => [one.topic, one])).values()]
    if (next.length === followed.length && next.every((one) => followed.includes(one))) return
    close?.()
    followed = next
    tags.clear()
    for (const { topic, tag } of followed) tags.set(topic, tag())
    close = followed.length === 0 ? undefined : keepStream({ open, onEvent, onEnd, isReached })
  }
  function settleSoon(): void {
    clearTimeout(timer)
    timer = setTimeout(settle, settleMs)
  }
  async function open(signal: AbortSignal): Promise<Response> {
    const query = new URLSearchParams({ topics: followed.map(({ topic }) => topic).join(',') })
    for (const [name, value] of followed.flatMap((one) => Object.entries(one.query))) {
      if (value !== undefined) query.set(name, String(value))
    }
    const seen = [...tags].filter(([, tag]) => tag !== '').map(([topic, tag]) => `${topic}=${tag}`)
    return await send(`events?${query}`, seen.join(','), signal)
  }
  return (one: Followed): (() => void) => {
    wanted.add(one)
    settleSoon()
    return () => {
      wanted.delete(one)
      setLive(one, false)
      settleSoon()
    }
  }
}

/** The id of an event contains the state of each topic. */
const tagsOf = (id: string): [Topic, string][] =>
  id.split(',').map((part) => {
    const [topic = '', tag = ''] = part.split('=')
    return [topic as Topic, tag]
  })

function topicOf(event: string, data: unknown): string {
  if (event === 'dag') return 'dags'
  if (event === 'dag-state') return 'states'
  if (event === 'run') return 'runs'
  if (event === 'counts') return 'overview'
  return (data as { topic?: string }).topic ?? ''
}
