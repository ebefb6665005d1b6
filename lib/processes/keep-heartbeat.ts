import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '#lib/db/client.ts'

/** This process, as shown to others: its part (api, tick, runner …) and version. */
export interface OwnProcess {
  readonly part: string
  readonly version: string
}

const everyMs = 30_000

/**
 * Records a heartbeat of this process now and every 30 s, and deletes processes without one for 5 minutes. Failures are
 * ignored, because the next heartbeat follows soon.
 * @returns a function that stops it and deletes the process
 */
export function keepHeartbeat(db: Database, { part, version }: OwnProcess): () => Promise<void> {
  const host = hostname()
  const id = `${host}-${process.pid}-${randomBytes(4).toString('hex')}`
  const beat = (): Promise<unknown> =>
    db.sql`
      with silent as (
        delete from millrace.process where id in (
          select id from millrace.process
          where seen_at < clock_timestamp() - interval '5 minutes' and id <> ${id}
          for update skip locked
        )
      )
      insert into millrace.process (id, part, host, pid, version)
      values (${id}, ${part}, ${host}, ${process.pid}, ${version})
      on conflict (id) do update set seen_at = clock_timestamp()`.then(
      () => undefined,
      () => undefined,
    )
  let last = beat()
  const timer = setInterval(() => {
    last = beat()
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await last
    await db.sql`delete from millrace.process where id = ${id}`.then(
      () => undefined,
      () => undefined,
    )
  }
}
