import { liveWorkers } from '#lib/workers/live-workers.ts'
import type { Start } from '../run-part.ts'

/** @throws Error that names the live runners on this database, which must not be changed while they work */
export async function refuseBesideRunners({ deps: { db, config }, isAlone }: Start): Promise<void> {
  // Runners that were killed together with the embedded database only look alive.
  const ids = isAlone ? [] : await liveWorkers(db, config.leaseMs)
  if (ids.length === 0) return
  throw new Error(
    `stop the runners first (${ids.join(', ')}); a killed runner counts as alive for ${config.leaseMs / 1000} s`,
  )
}
