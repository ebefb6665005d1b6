import type { Database } from '#lib/db/client.ts'
import type { ScheduleLists } from '#lib/definition/definition.ts'
import type { Span } from '#lib/definition/schedules/visit-fires.ts'
import { diffFires, type FireDiff } from './diff-fires.ts'
import { createSlices } from './in-slices.ts'
import { minuteOf } from './minutes.ts'
import { plannedFires } from './planned-fires.ts'
import { readEntries, type StoredEntry } from './schedule-entries.ts'

export interface SchedulePreview extends FireDiff {
  /** New starts that coincide with starts of other DAGs, most first. Milliseconds since 1970. */
  readonly collisions: readonly { readonly atMs: number; readonly others: number }[]
}

const collisionsMax = 10

/**
 * The times that a new schedule of a DAG would add and remove within a span, compared with its stored schedule.
 * @throws ServiceError `service_unavailable` when schedules fire too often
 */
export async function previewSchedule(
  db: Database,
  schedule: ScheduleLists,
  { fileName, zone, ...span }: Span & { readonly fileName: string | undefined; readonly zone: string },
): Promise<SchedulePreview> {
  const entries = await readEntries(db, { zone })
  const inSlices = createSlices()
  const own = listsOf(entries.filter((entry) => entry.fileName === fileName))
  const diff = await diffFires(own, schedule, { ...span, zone }, inSlices)
  const others = entries.filter((entry) => entry.fileName !== fileName)
  const { starts } = await plannedFires(others, { span, limit: 0, nowMs: span.fromMs - 1 }, inSlices)
  const collisions = diff.added
    .filter(({ kind }) => kind !== 'stop')
    .map(({ atMs }) => ({ atMs, others: starts[minuteOf(span, atMs)] ?? 0 }))
    .filter((collision) => collision.others > 0)
    .toSorted((one, other) => other.others - one.others || one.atMs - other.atMs)
    .slice(0, collisionsMax)
  return { ...diff, collisions }
}

function listsOf(entries: readonly StoredEntry[]): ScheduleLists {
  const of = (kind: StoredEntry['kind']) => entries.filter((entry) => entry.kind === kind)
  return { start: of('start'), stop: of('stop'), restart: of('restart') }
}
