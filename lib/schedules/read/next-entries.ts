import type { Database } from '#lib/db/client.ts'

/** The next time of a start or restart entry, milliseconds since 1970. */
export interface NextEntry {
  readonly fileName: string
  readonly atMs: number
  readonly zone: string
}

/**
 * The next start and restart entries, and the overdue ones that no tick has handled, soonest first, without those of
 * suspended DAGs. Relies on `schedule_due_idx`.
 * @param input.lateMs time after which a due entry counts as late
 * @param input.zone IANA zone of entries without one
 */
export async function nextEntries(
  { sql }: Database,
  { lateMs, limit, zone }: { readonly lateMs: number; readonly limit: number; readonly zone: string },
): Promise<{ readonly next: readonly NextEntry[]; readonly late: readonly NextEntry[] }> {
  const entries = (isLate: boolean) => sql`
    select s.file_name as "fileName", millrace.ms(s.next_at)::float8 as "atMs",
      coalesce(s.zone, s.default_zone, ${zone}) as zone
    from millrace.schedule s join millrace.dag d on d.file_name = s.file_name
    where s.kind <> 'stop' and d.suspended_at is null and ${
      isLate ? sql`s.next_at < now() - ${lateMs} * interval '1 ms'` : sql`s.next_at > now()`
    }
    order by s.next_at limit ${limit}`
  const [row] = await sql<[{ next: NextEntry[]; late: NextEntry[] }]>`
    select (select coalesce(json_agg(e), '[]') from (${entries(false)}) as e) as next,
      (select coalesce(json_agg(e), '[]') from (${entries(true)}) as e) as late`
  return row
}
