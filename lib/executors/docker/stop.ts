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
