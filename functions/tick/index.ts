import { setTimeout as pause } from 'node:timers/promises'
import type { Parts } from '#lib/app/compose.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { watchSleep } from '#lib/tick/watch-sleep.ts'
import { runTick, type TickDeps } from '#lib/tick/run-tick.ts'

/** Pause after a failed pass, milliseconds. */
const retryMs = 1_000

export interface Ticking {
  /** Ends after the current pass. */
  stop(): Promise<void>
}

/** What a tick needs. */
export function tickOf({ db, log, logs, config: { leaseMs, zone } }: Parts): TickDeps {
  return { db, log, logs, definitions: createDefinitionReader(), leaseMs, zone }
}

/**
 * Ticks in a loop: the next pass starts when something is due, at the latest after `everyMs`. A failed pass is logged
 * and repeated. After the machine has slept, owners of runs have one lease to renew their claims.
 */
export function keepTicking(parts: TickDeps, everyMs: number): Ticking {
  const leastMs = 50
  const stopping = new AbortController()
  const sleep = watchSleep()
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      let waitMs = everyMs
      try {
        const ownersHadTime = sleep.awakeMs() > parts.leaseMs
        const { nextDueMs } = await runTick({ ...parts, ownersHadTime })
        waitMs = Math.max(leastMs, Math.min(everyMs, nextDueMs))
      } catch (error) {
        waitMs = Math.min(everyMs, retryMs)
        parts.log.error({ event: 'tick.failed', error }, 'the tick failed and will be retried')
      }
      await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const done = loop()
  return {
    stop: () => {
      stopping.abort()
      return done
    },
  }
}
