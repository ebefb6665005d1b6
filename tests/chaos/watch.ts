import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#lib/db/client.ts'

export interface Watched {
  /** How often the invariants were checked. */
  looks: number
  readonly violations: string[]
  /** How many finished runs were compared with what they were before. */
  finished: number
  readonly changed: string[]
}

const everyMs = 100
/** Checks take at most this fraction of the time. */
const share = 0.1

/** Checks the invariants continuously, and that finished runs never change. @returns a function that ends this */
export function watch(db: Database): { readonly end: () => Promise<Watched> } {
  const watched: Watched = { looks: 0, violations: [], finished: 0, changed: [] }
  const endings = new Map<string, string>()
  let isOver = false
  const look = async (): Promise<void> => {
    const rows = await db.sql<
      { invariant: string; detail: string }[]
    >`select * from millrace.check_invariants()`
    watched.looks += 1
    watched.violations.push(...rows.map((row) => JSON.stringify(row)))
  }
  const compare = async (): Promise<void> => {
    const rows = await db.sql<{ key: string; ending: string }[]>`
      select run_key || ' ' || attempt as key, concat_ws(' ', status, claim_token, finished_at, error) as ending
      from millrace.dag_run where finished_at is not null`
    for (const { key, ending } of rows) {
      const before = endings.get(key) ?? ending
      if (before !== ending) watched.changed.push(`${key}: ${before}, then ${ending}`)
      endings.set(key, before)
    }
    watched.finished = endings.size
  }
  const loop = async (): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      const begun = performance.now()
      // Checks fail while the server restarts.
      await look().catch(() => undefined)
      if (round % 10 === 0) await compare().catch(() => undefined)
      await sleep(Math.max(everyMs, (performance.now() - begun) / share))
    }
    await compare()
  }
  const done = loop()
  return {
    async end() {
      isOver = true
      await done
      return watched
    },
  }
}
