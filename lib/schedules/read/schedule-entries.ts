import type { Database } from '#lib/db/client.ts'
import type { ScheduleKind } from '#lib/definition/schedules/schedule-rows.ts'

/** A stored schedule entry. Times are milliseconds since 1970. */
export interface StoredEntry {
  readonly fileName: string
  readonly kind: ScheduleKind
  readonly expression: string
  /** IANA name. */
  readonly zone: string
  /** Whether the entry sets its zone; otherwise it has that of the service. */
  readonly hasZone: boolean
  readonly suspended: boolean
  /** Its next instant: all earlier ones have been handled. */
  readonly nextMs: number
}

/** The entries of all DAGs, or of one. @param input.zone IANA zone of entries without one */
export async function readEntries(
  { sql }: Database,
  { zone, fileName }: { readonly zone: string; readonly fileName?: string | undefined },
): Promise<StoredEntry[]> {
  return await sql<StoredEntry[]>`
    select s.file_name as "fileName", s.kind, s.expression, coalesce(s.zone, s.default_zone, ${zone}) as zone,
      s.zone is not null as "hasZone", d.suspended_at is not null as suspended,
      millrace.ms(s.next_at)::float8 as "nextMs"
    from millrace.schedule s join millrace.dag d on d.file_name = s.file_name
    where s.next_at is not null ${fileName === undefined ? sql`` : sql`and s.file_name = ${fileName}`}
    order by s.file_name, s.kind, s.place`
}
