import type { Database } from '#lib/db/client.ts'

export interface Coordinator {
  readonly host: string
  readonly port: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

/** The coordinator of runners is the database itself: its address (empty for a Unix socket) and start time. */
export async function findCoordinator(db: Database): Promise<Coordinator[]> {
  return await db.sql<Coordinator[]>`
    select coalesce(host(inet_server_addr()), '') as host, coalesce(inet_server_port(), 0) as port,
      millrace.ms(pg_postmaster_start_time())::float8 as "startedAt"`
}
