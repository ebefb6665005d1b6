import type { ScheduleEntry } from '#lib/definition/definition.ts'
import type { ScheduleKind } from '#lib/definition/schedules/schedule-rows.ts'
import { visitFires, type Span } from '#lib/definition/schedules/visit-fires.ts'
import { minuteOf, minutesOf } from './minutes.ts'

/** An entry of a DAG, with its zone. */
export interface TimedEntry {
  readonly fileName: string
  readonly kind: ScheduleKind
  readonly expression: string
  readonly zone: string
  readonly suspended: boolean
}

/** DAGs that fire at the same times: all their entries of a kind are equal. */
export interface FireGroup {
  readonly kind: ScheduleKind
  readonly suspended: boolean
  readonly entries: readonly ScheduleEntry[]
  readonly zone: string
  readonly fileNames: readonly string[]
}

/** Groups DAGs with equal schedules, so that a common schedule is computed once. */
export function groupEntries(entries: readonly TimedEntry[]): FireGroup[] {
  const byDag = new Map<string, TimedEntry[]>()
  for (const entry of entries) {
    const key = `${entry.fileName} ${entry.kind}`
    const existing = byDag.get(key)
    if (existing === undefined) byDag.set(key, [entry])
    else existing.push(entry)
  }
  const groups = new Map<string, FireGroup & { readonly fileNames: string[] }>()
  for (const [first, ...others] of byDag.values()) {
    if (first === undefined) continue
    const { fileName, kind, suspended, zone } = first
    const own = [first, ...others].map((entry) => ({ expression: entry.expression, zone: entry.zone }))
    const key = JSON.stringify([kind, suspended, own])
    const existing = groups.get(key)
    if (existing === undefined)
      groups.set(key, { kind, suspended, entries: own, zone, fileNames: [fileName] })
    else existing.fileNames.push(fileName)
  }
  return [...groups.values()]
}

/** Visits each time of a group within a span once, in the order of its entries. Yields after each entry. */
export function* visitGroup(
  { entries, zone }: FireGroup,
  span: Span,
  visit: (atMs: number) => void,
): Generator<void> {
  const seen = entries.length > 1 ? new Uint8Array(minutesOf(span)) : undefined
  for (const entry of entries) {
    visitFires(entry, span, zone, (atMs) => {
      if (seen !== undefined) {
        const minute = minuteOf(span, atMs)
        if (seen[minute] === 1) return
        seen[minute] = 1
      }
      visit(atMs)
    })
    yield
  }
}
