import { liveWorkers } from '#lib/workers/live-workers.ts'
import type { Start } from '../run-part.ts'

/** @throws Error that names the runners that work on the database, while it may not change below them */
export async function refuseBesideRunners({ parts: { db, config }, isAlone }: Start): Promise<void> {
  // What was killed together with the embedded database looks alive, and is not.
  const ids = isAlone ? [] : await liveWorkers(db, config.leaseMs)
  if (ids.length === 0) return
  throw new Error(
    `stop the runners first (${ids.join(', ')}); one that was killed counts as alive for ${config.leaseMs / 1000} s`,
  )
}
