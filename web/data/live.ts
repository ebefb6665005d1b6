import { computed, signal, type ReadonlySignal } from '@preact/signals'
import type { Followed, Listener } from './followed.ts'
import { createListStream } from './list-stream.ts'
import { keepStream } from './stream.ts'

/** A separate stream, such as that of a run. */
export interface Listened extends Listener {
  /** Below that of the API. */
  readonly path: string
  /** Entity tag of the loaded state, from which its events continue. */
  readonly tag: () => string
}

export interface Live {
  /** Follows data with its own stream. @returns ends it */
  readonly listen: (listened: Listened) => () => void
  /** Follows a list. @returns ends it */
  readonly follow: (followed: Followed) => () => void
  /** Whether anything is followed. */
  readonly isLive: ReadonlySignal<boolean>
}

interface Deps {
  /** Of the page. */
  readonly base: URL
  readonly send: (request: Request) => Promise<Response>
  readonly isReached: ReadonlySignal<boolean>
  /** Called when the caller has lost rights. */
  readonly onRevoked: () => void
}

/** Live data: one stream for all lists of the page, and one for each run. */
export function createLive({ base, send, isReached, onRevoked }: Deps): Live {
  const count = signal(0)
  const sendTo = (path: string, seen: string, signal: AbortSignal): Promise<Response> => {
    const headers = { accept: 'text/event-stream', ...(seen !== '' && { 'last-event-id': seen }) }
    return send(new Request(new URL(`api/v2/${path}`, base), { headers, signal }))
  }
  function setLive(one: Listener, isLive: boolean): void {
    if (one.isLive.peek() === isLive) return
    one.isLive.value = isLive
    count.value += isLive ? 1 : -1
  }
  function listen(one: Listened): () => void {
    let lastId = ''
    return keepStream({
      open: (signal) => sendTo(one.path, lastId === '' ? one.tag() : lastId, signal),
      onEvent: (event) => {
        lastId = event.id
        if (event.event === 'revoked') return onRevoked()
        setLive(one, true)
        one.onEvent(event)
      },
      onEnd: () => setLive(one, false),
      isReached,
    })
  }
  const follow = createListStream({ send: sendTo, isReached, setLive, onRevoked })
  return { isLive: computed(() => count.value > 0), listen, follow }
}
