/** Settles like the promise, or rejects when the signal comes first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined)
    return Promise.reject(reasonOf(signal))
  }
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(reasonOf(signal))
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/**
 * Settles like the promise of a request that must not be broken off, because nobody would know what came of it;
 * rejects when it is still under way so long after the signal.
 */
export function unlessStuck<T>(promise: Promise<T>, signal: AbortSignal, ms: number): Promise<T> {
  const stuck = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    timer = setTimeout(() => stuck.abort(signal.reason), ms)
  }
  if (signal.aborted) wait()
  else signal.addEventListener('abort', wait, { once: true })
  return unlessAborted(promise, stuck.signal).finally(() => {
    signal.removeEventListener('abort', wait)
    clearTimeout(timer)
  })
}

function reasonOf(signal: AbortSignal): Error {
  return new Error(`stopped: ${String(signal.reason)}`)
}

/** Settles like the promise, or with `late` when that takes too long. */
export async function within<T, L>(ms: number, promise: Promise<T>, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), ms)
  })
  try {
    return await Promise.race([promise, passed])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits; ends early when the signal comes. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** What ends the processes of a step, first kindly. */
export interface Stopping {
  readonly signal: AbortSignal
  readonly cleanUpMs: number
  /** Sends the signal of the step, then SIGKILL. */
  readonly send: (signal: string) => Promise<void>
  readonly stopSignal: string
  /**
   * Called a moment after SIGKILL: an engine that cannot get rid of its output takes nothing for ended, so what the
   * sink has not taken by then is dropped.
   */
  readonly dropOutput: () => void
}

/** Between SIGKILL and dropping the output, milliseconds. */
const lastOutputMs = 1_000

/**
 * Ends something when the signal comes: the step's signal, SIGKILL after the clean-up time; SIGKILL at once when the
 * lease is lost, because another runner may go on any moment.
 * @returns a promise that settles when SIGKILL has had its time in vain, and what takes the watch off
 */
export function stopOnAbort(
  { signal, cleanUpMs, send, stopSignal, dropOutput }: Stopping,
  patienceMs: number,
): { readonly inVain: Promise<'in vain'>; readonly clear: () => void } {
  const timers = new Set<NodeJS.Timeout>()
  const later = (ms: number, act: () => void): void => {
    timers.add(setTimeout(act, ms))
  }
  let giveUp: (answer: 'in vain') => void = () => undefined
  const inVain = new Promise<'in vain'>((resolve) => {
    giveUp = resolve
  })
  const kill = (): void => {
    void send('SIGKILL')
    later(lastOutputMs, dropOutput)
    later(patienceMs, () => giveUp('in vain'))
  }
  const stop = (): void => {
    if (signal.reason === 'lease_lost') return kill()
    void send(stopSignal)
    later(cleanUpMs, kill)
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return {
    inVain,
    clear: () => {
      signal.removeEventListener('abort', stop)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
