import { signal, type Signal } from '@preact/signals'
import { QueryClient } from '@tanstack/query-core'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { linksBelow, type Links } from '../model/links.ts'
import { CallFailure, createAsk, createSend, type Ask } from './call.ts'
import { createClock } from './clock.ts'
import { createKnownAnswers } from './known-answers.ts'
import { createLive, type Live } from './live.ts'
import { createPreferences, type Preferences } from './preferences.ts'
import { createSession, type Session } from './session.ts'
import { createWorkerUrl } from './worker-url.ts'

/** What every page needs, made once when the page starts. */
export interface PageData {
  readonly links: Links
  readonly ask: Ask
  /** Sends a raw call, for the API reference. */
  readonly send: (request: Request) => Promise<Response>
  /** Entity tag of a response of `ask`; empty if it has none. */
  readonly tagOf: (answer: object) => string
  readonly cache: QueryClient
  readonly live: Live
  readonly session: Session
  readonly isReached: Signal<boolean>
  /** Milliseconds since 1970 by the clock of the service, each second. */
  readonly now: Signal<number>
  readonly preferences: Preferences
  /** The last action, for the live region that announces it. */
  readonly said: Signal<string>
  /** The address of a worker. */
  readonly workerUrl: (name: 'layout') => string
}

export function createPageData(base: URL): PageData {
  const isReached = signal(true)
  const mustSignIn = signal(false)
  const clockAheadMs = signal(0)
  const departures = signal(0)
  const send = createSend({ isReached, mustSignIn, departures, clockAheadMs })
  const cache = new QueryClient({
    defaultOptions: { queries: { retry: isWorthAnother, staleTime: 1_000, networkMode: 'always' } },
  })
  cache.mount()
  addEventListener('offline', () => (isReached.value = false))
  addEventListener('online', () => void cache.invalidateQueries())
  const known = createKnownAnswers()
  const forget = (): void => {
    departures.value += 1
    cache.clear()
    known.clear()
  }
  const tags = new WeakMap<object, string>()
  const session = createSession({ base, send, mustSignIn, forget })
  return {
    links: linksBelow(base.pathname),
    send,
    ask: createAsk(base, send, tags, known),
    tagOf: (answer) => tags.get(answer) ?? '',
    cache,
    live: createLive({ base, send, isReached, onRevoked: () => void session.read().catch(() => undefined) }),
    session,
    isReached,
    now: createClock(clockAheadMs),
    preferences: createPreferences(),
    said: signal(''),
    workerUrl: createWorkerUrl(),
  }
}

/** Refused calls are not retried: they would be refused again. */
const isWorthAnother = (count: number, error: Error): boolean =>
  count < 2 && error instanceof CallFailure && error.status >= 500

export const DataContext = createContext<PageData | undefined>(undefined)

export function useData(): PageData {
  const data = useContext(DataContext)
  if (data === undefined) throw new Error('no page data above this component')
  return data
}
