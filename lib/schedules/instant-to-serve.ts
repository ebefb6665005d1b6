import type { CatchUp, ScheduleEntry } from '#lib/definition/definition.ts'
import { nextFire, previousFire } from '#lib/definition/schedules/fire-times.ts'

/**
 * Of the instants of an entry that have come, the one that is served now, and the one after which to look for the
 * next. All times are milliseconds since 1970.
 * @param input.dueMs the oldest instant that nobody has served
 */
export function instantToServe(
  entry: ScheduleEntry,
  input: { readonly dueMs: number; readonly nowMs: number; readonly catchUp: CatchUp },
  defaultZone: string,
): { readonly atMs: number; readonly afterMs: number } {
  const { dueMs, nowMs, catchUp } = input
  if (catchUp.policy === 'none') return { atMs: dueMs, afterMs: nowMs }
  if (catchUp.policy === 'last') {
    return { atMs: previousFire(entry, nowMs + 1, defaultZone) ?? dueMs, afterMs: nowMs }
  }
  const sinceMs = nowMs - catchUp.windowSec * 1000
  const atMs = dueMs >= sinceMs ? dueMs : (nextFire(entry, sinceMs - 1, defaultZone) ?? dueMs)
  return atMs > nowMs ? { atMs: dueMs, afterMs: nowMs } : { atMs, afterMs: atMs }
}
