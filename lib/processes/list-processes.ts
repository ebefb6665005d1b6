import type { Database } from '#lib/db/client.ts'

/** A process with a heartbeat in the last few minutes. */
export interface ServiceProcess {
  readonly id: string
  readonly part: string
  readonly host: string
  readonly pid: number
  readonly version: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly seenAt: number
  /** It had a heartbeat in the last 75 s; the interval is 30 s. */
  readonly isActive: boolean
}

/** The processes with a recent heartbeat, by part and start. */
export async function listProcesses({ sql }: Database): Promise<ServiceProcess[]> {
  return await sql<ServiceProcess[]>`
    select id, part, host, pid, version, millrace.ms(started_at)::float8 as "startedAt",
      millrace.ms(seen_at)::float8 as "seenAt", seen_at > clock_timestamp() - interval '75 seconds' as "isActive"
    from millrace.process
    order by part, started_at, id`
}
