import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '#lib/db/client.ts'

/** A process of the service, as others see it. */
export interface OwnProcess {
  readonly part: string
  readonly version: string
}

const everyMs = 30_000

/**
 * Leaves a sign of life of this process, now and twice a minute, and forgets those that have been silent for long. A
 * failure is no matter: the next sign comes soon.
 * @returns ends it, and removes the sign
 */
export function keepNoting(db: Database, { part, version }: OwnProcess): () => Promise<void> {
  const host = hostname()
  const id = `${host}-${process.pid}-${randomBytes(4).toString('hex')}`
  const note = (): Promise<unknown> =>
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
  let last = note()
  const timer = setInterval(() => {
    last = note()
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
