/** How to end the processes of a step, gracefully first. */
export interface Stopping {
  readonly signal: AbortSignal
  readonly cleanUpMs: number
  /** Sends a signal: that of the step, later SIGKILL. */
  readonly send: (signal: string) => Promise<void>
  readonly stopSignal: string
  /**
   * Called shortly after SIGKILL. An engine does not report an end while its output is blocked, so output that the sink
   * has not taken by then is dropped.
   */
  readonly dropOutput: () => void
}

/** Time between SIGKILL and dropping the output, milliseconds. */
const lastOutputMs = 1_000

/**
 * Stops something when the signal is aborted: by the signal of the step, and by SIGKILL after the clean-up time. When
 * the lease is lost, by SIGKILL at once, since another runner may continue at any moment.
 * @returns a promise that settles when even SIGKILL did not help in time, and a function that removes the listener
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
