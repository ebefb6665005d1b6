import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '#lib/app/compose.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { watchSleep } from '#lib/tick/watch-sleep.ts'
import { runTick, type TickDeps } from '#lib/tick/run-tick.ts'

/** Pause after a failed pass, milliseconds. */
const retryMs = 1_000

export interface Ticking {
  /** Stops after the current pass. */
  stop(): Promise<void>
}

/** The dependencies of a tick. */
export function tickOf({ db, log, logs, config: { leaseMs, zone } }: Deps): TickDeps {
  return { db, log, logs, definitions: createDefinitionReader(), leaseMs, zone }
}

/**
 * Ticks in a loop: the next pass starts when something is due, or after `everyMs`. A failed pass is logged and retried.
 * After the machine has slept, owners of runs get the length of one lease to renew their claims.
 */
export function keepTicking(deps: TickDeps, everyMs: number): Ticking {
  const minMs = 50
  const stopping = new AbortController()
  const sleep = watchSleep()
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      let waitMs = everyMs
      try {
        const ownersHadTime = sleep.awakeMs() > deps.leaseMs
        const { nextDueMs } = await runTick({ ...deps, ownersHadTime })
        waitMs = Math.max(minMs, Math.min(everyMs, nextDueMs))
      } catch (error) {
        waitMs = Math.min(everyMs, retryMs)
        deps.log.error({ event: 'tick.failed', error }, 'the tick failed and will be retried')
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
