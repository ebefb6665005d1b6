import type { CatchUp, ScheduleEntry } from '#lib/definition/definition.ts'
import { nextFire, previousFire } from '#lib/definition/schedules/fire-times.ts'

/**
 * Of the due instants of an entry, the one to serve now, and the one after which the next is searched. All times are
 * milliseconds since 1970.
 * @param input.dueMs the oldest instant that was not served
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
