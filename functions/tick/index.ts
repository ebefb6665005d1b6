import { setTimeout as pause } from 'node:timers/promises'
import type { Parts } from '#lib/app/compose.ts'
import { createDefinitionReader } from '#lib/runs/read-definition.ts'
import { runTick, type TickParts, type TickReport } from '#lib/tick/run-tick.ts'

/** After a pass that failed, milliseconds: what was away comes back sooner or later. */
const retryMs = 1_000

export interface Ticking {
  /** Ends after the pass that is under way. */
  stop(): Promise<void>
}

/** What a tick works with. */
export function tickOf({ db, log, logs, config: { leaseMs, zone } }: Parts): TickParts {
  return { db, log, logs, definitions: createDefinitionReader(), leaseMs, zone }
}

/** One pass over what is due; for a clock from outside (cron, a timer of a platform). */
export function tick(parts: TickParts): Promise<TickReport> {
  return runTick(parts)
}

/**
 * Repeats the tick: again when the next thing is due, at the latest after `everyMs`. A pass that fails is logged and
 * tried again.
 */
export function keepTicking(parts: TickParts, everyMs: number): Ticking {
  const leastMs = 50
  const stopping = new AbortController()
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      let waitMs = everyMs
      try {
        waitMs = Math.max(leastMs, Math.min(everyMs, (await runTick(parts)).nextDueMs))
      } catch (error) {
        waitMs = Math.min(everyMs, retryMs)
        parts.log.error({ event: 'tick.failed', error }, 'the tick failed and is tried again')
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
