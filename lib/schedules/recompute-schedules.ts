import type { Database } from '#lib/db/client.ts'
import { nextFire } from '#lib/definition/schedules/fire-times.ts'

interface Entry {
  readonly fileName: string
  readonly kind: string
  readonly place: number
  readonly expression: string
  readonly nowMs: number
}

/**
 * Recomputes the next times of schedule entries without a zone, after the zone of the service changed. The new times
 * are in the future: instants due in the old zone and not handled yet are dropped. A concurrent tick either handles an
 * entry first, and its next time is replaced, or finds it no longer due.
 * @param zone IANA name
 * @returns the number of recomputed entries
 */
export async function recomputeSchedules(db: Database, zone: string): Promise<number> {
  await setMissingZones(db, zone)
  const entries = await db.sql<Entry[]>`
    select file_name as "fileName", kind, place, expression,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"
    from millrace.schedule where zone is null and default_zone <> ${zone}`
  const next = entries.map(({ nowMs, ...entry }) => ({
    ...entry,
    nextMs: nextFire({ expression: entry.expression, zone: undefined }, nowMs, zone) ?? null,
  }))
  for (let at = 0; at < next.length; at += batchSize) {
    await updateEntries(db, zone, next.slice(at, at + batchSize))
  }
  return next.length
}

const batchSize = 500

/** Sets the zone of entries from versions that did not store it; it is assumed to be the current one. */
async function setMissingZones(db: Database, zone: string): Promise<void> {
  await db.sql`
    with unknown as (
      select file_name, kind, place from millrace.schedule where zone is null and default_zone is null
      order by file_name, kind, place for no key update
    )
    update millrace.schedule s set default_zone = ${zone}
    from unknown u where (s.file_name, s.kind, s.place) = (u.file_name, u.kind, u.place)`
}

/** Waits for locks instead of skipping entries, because a tick locks an entry only briefly. */
async function updateEntries(
  db: Database,
  zone: string,
  entries: readonly (Omit<Entry, 'nowMs'> & { readonly nextMs: number | null })[],
): Promise<void> {
  await db.sql`
    with given as (
      select s.file_name, s.kind, s.place, g."nextMs"
      from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb)
        as g ("fileName" text, kind text, place int, expression text, "nextMs" float8)
      join millrace.schedule s
        on s.file_name = g."fileName" and s.kind = g.kind and s.place = g.place and s.expression = g.expression
      where s.zone is null and s.default_zone <> ${zone}
      order by s.file_name, s.kind, s.place
      for no key update of s
    )
    update millrace.schedule s set next_at = millrace.at(g."nextMs"), default_zone = ${zone}
    from given g where (s.file_name, s.kind, s.place) = (g.file_name, g.kind, g.place)`
}
