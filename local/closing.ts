/** Resources to close at the end, last opened first. Each is closed once, whether or not others fail. */
export class Closing {
  readonly #parts: { readonly name: string; readonly close: () => Promise<void> | void }[] = []

  add(name: string, close: () => Promise<void> | void): void {
    this.#parts.push({ name, close })
  }

  /** @returns errors, one sentence per resource */
  async all(): Promise<string[]> {
    const faults: string[] = []
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) {
      try {
        await part.close()
      } catch (error) {
        faults.push(`${part.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    return faults
  }
}

/**
 * Calls `end` on the first SIGINT, SIGTERM or SIGHUP, and `hurry` on one that arrives at least half a second later
 * (npm, the launcher and the terminal may each pass on the same Ctrl-C).
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
