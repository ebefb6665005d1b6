/** What must be closed at the end, last opened first. Each part is closed once, whatever the others do. */
export class Closing {
  readonly #parts: { readonly name: string; readonly close: () => Promise<void> | void }[] = []

  add(name: string, close: () => Promise<void> | void): void {
    this.#parts.push({ name, close })
  }

  /** Answers what went wrong, one sentence a part. */
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
 * Calls `end` on the first SIGINT, SIGTERM or SIGHUP, and `hurry` on one that comes at least half a second later
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
