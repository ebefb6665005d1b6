/** A value that is polled. Equal tags mean that nothing has changed. */
export interface Tagged {
  readonly tag: string
}

export interface Watcher<State extends Tagged> {
  /** Called with the first state that is read for this watcher, then with each that has another tag. */
  readonly onState: (state: State) => void
  /** Called once, with what the reading threw; nothing follows. */
  readonly onError: (error: unknown) => void
}

/**
 * Watches what `read` reads. All who watch the same name share its reads.
 * @returns ends the watch; after the last one has gone, nothing is read
 */
export type SharedPoll = <State extends Tagged>(
  name: string,
  read: () => Promise<State>,
  watcher: Watcher<State>,
) => () => void

/** Milliseconds after a change until the next read; while nothing changes, the pauses grow up to `mostMs`. */
const leastMs = 1_000
const mostMs = 5_000

interface Poll {
  readonly watchers: Map<Watcher<never>, string | undefined>
  readonly read: () => Promise<Tagged>
  latest?: { readonly state: Tagged; readonly at: number }
  pause: number
  /** Undefined while a read is in progress. */
  timer?: NodeJS.Timeout | undefined
}

/** Reads only what is watched, once for all watchers: 1 s after a change, later every 5 s. */
export function createSharedPoll(now: () => number): SharedPoll {
  const polls = new Map<string, Poll>()

  async function look(name: string, poll: Poll): Promise<void> {
    poll.timer = undefined
    try {
      const state = await poll.read()
      poll.pause = state.tag === poll.latest?.state.tag ? Math.min(mostMs, poll.pause * 1.5) : leastMs
      poll.latest = { state, at: now() }
      for (const watcher of poll.watchers.keys()) publish(poll, watcher, state)
    } catch (error) {
      if (polls.get(name) === poll) polls.delete(name)
      for (const watcher of poll.watchers.keys()) watcher.onError(error)
      poll.watchers.clear()
    }
    if (poll.watchers.size > 0) lookIn(poll.pause, name, poll)
  }

  function lookIn(ms: number, name: string, poll: Poll): void {
    poll.timer = setTimeout(() => void look(name, poll), ms).unref()
  }

  return (name, read, watcher) => {
    const poll: Poll = polls.get(name) ?? { watchers: new Map(), read, pause: leastMs }
    polls.set(name, poll)
    poll.watchers.set(watcher, undefined)
    const isFresh = poll.latest !== undefined && now() - poll.latest.at < leastMs
    // A new watcher has just read the list, and may know a newer state than the last read.
    if (isFresh && poll.latest !== undefined) publish(poll, watcher, poll.latest.state)
    else if (poll.timer !== undefined || poll.watchers.size === 1) {
      clearTimeout(poll.timer)
      void look(name, poll)
    }
    return () => {
      poll.watchers.delete(watcher)
      if (poll.watchers.size > 0) return
      clearTimeout(poll.timer)
      if (polls.get(name) === poll) polls.delete(name)
    }
  }
}

function publish(poll: Poll, watcher: Watcher<never>, state: Tagged): void {
  if (poll.watchers.get(watcher) === state.tag) return
  poll.watchers.set(watcher, state.tag)
  watcher.onState(state as never)
}
