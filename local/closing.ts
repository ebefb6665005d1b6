import { setTimeout as pause } from 'node:timers/promises'

/** Resources to close at shutdown, last opened first. Each is closed once, even if others fail. */
export class Closing {
  #closing = ''
  readonly #parts: { readonly name: string; readonly close: () => Promise<void> | void }[] = []

  add(name: string, close: () => Promise<void> | void): void {
    this.#parts.push({ name, close })
  }

  /**
   * Closes everything.
   * @param withinMs settles after this time even if a resource is still open
   * @returns one sentence per resource that failed or timed out
   */
  async all(withinMs: number): Promise<string[]> {
    const faults: string[] = []
    const late = new AbortController()
    const limit = pause(withinMs, 'late' as const, { signal: late.signal }).catch(() => 'late' as const)
    const outcome = await Promise.race([this.#closeAll(faults), limit])
    late.abort()
    if (outcome === 'late') faults.push(`${this.#closing} has not ended within ${withinMs / 1_000} s`)
    return faults
  }

  async #closeAll(faults: string[]): Promise<void> {
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) {
      this.#closing = part.name
      try {
        await part.close()
      } catch (error) {
        faults.push(`${part.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
}

/**
 * Calls `end` on the first SIGINT, SIGTERM or SIGHUP, and `hurry` on one that arrives at least half a second later
 * (npm, the launcher and the terminal may each deliver the same Ctrl-C).
 */
export function onSignal(end: () => void, hurry: () => void): void {
  let first: number | undefined
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (first === undefined) {
        first = performance.now()
        end()
      } else if (performance.now() - first > 500) hurry()
    })
  }
}
