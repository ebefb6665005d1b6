import type { Database } from '#lib/db/client.ts'

export interface Ticker {
  readonly id: string
  readonly host: string
  /** It has ticked in the last 90 s: external clocks often call once a minute. */
  readonly active: boolean
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly heartbeatAt: number
}

/** The processes that have ticked recently, oldest first. */
export async function listTickers(db: Database): Promise<Ticker[]> {
  return await db.sql<Ticker[]>`
    select id, host, heartbeat_at > clock_timestamp() - interval '90 seconds' as active,
      millrace.ms(started_at)::float8 as "startedAt", millrace.ms(heartbeat_at)::float8 as "heartbeatAt"
    from millrace.ticker
    order by started_at, id`
}
