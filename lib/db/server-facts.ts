import type { Database } from './client.ts'

export interface ServerFacts {
  /** `server_version`. */
  readonly version: string
  readonly major: number
  /** True for a standby, and for a database with `default_transaction_read_only`. */
  readonly isReadOnly: boolean
  /** Round trip in milliseconds, on an open connection. */
  readonly answerMs: number
  /** Milliseconds by which the clock of the database is ahead of this machine's; accurate to half of `answerMs`. */
  readonly aheadMs: number
}

/** Reads version, mode, latency and clock offset of the server. */
export async function serverFacts(db: Database): Promise<ServerFacts> {
  const ask = () => db.sql<{ version: string; major: number; readOnly: string; nowMs: number }[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
      current_setting('transaction_read_only') as "readOnly",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`
  await ask()
  const before = Date.now()
  const [row] = await ask()
  const answerMs = Date.now() - before
  return {
    version: row?.version ?? '',
    major: row?.major ?? 0,
    isReadOnly: row?.readOnly === 'on',
    answerMs,
    aheadMs: (row?.nowMs ?? 0) - (before + answerMs / 2),
  }
}
