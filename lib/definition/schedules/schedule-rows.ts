import type { ScheduleLists } from '#lib/definition/definition.ts'
import { nextFire } from '#lib/definition/schedules/fire-times.ts'

export type ScheduleKind = 'start' | 'stop' | 'restart'

/** A row of the table of schedules: an entry of a DAG with the next time at which it is due. */
export interface ScheduleRow {
  readonly kind: ScheduleKind
  readonly expression: string
  /** IANA name; null: the time zone of the service. */
  readonly zone: string | null
  /** Milliseconds since 1970. */
  readonly nextAt: number
}

/**
 * The rows of a DAG, without duplicates. An entry that never occurs (30 February) has no row.
 * @param nowMs milliseconds since 1970; the next times are later
 * @param defaultZone time zone of entries that name none
 */
export function scheduleRows(schedule: ScheduleLists, nowMs: number, defaultZone: string): ScheduleRow[] {
  const rows = new Map<string, ScheduleRow>()
  for (const kind of ['start', 'stop', 'restart'] as const) {
    for (const entry of schedule[kind]) {
      const nextAt = nextFire(entry, nowMs, defaultZone)
      if (nextAt === undefined) continue
      const row = { kind, expression: entry.expression, zone: entry.zone ?? null, nextAt }
      rows.set(JSON.stringify([kind, row.expression, row.zone]), row)
    }
  }
  return [...rows.values()]
}
