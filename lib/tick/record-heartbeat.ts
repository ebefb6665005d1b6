import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '#lib/db/client.ts'

const host = hostname()
const id = `${host}-${process.pid}-${randomBytes(4).toString('hex')}`

/** Records that this process has ticked, and deletes processes that have not ticked for 5 minutes. */
export async function recordHeartbeat(db: Database): Promise<void> {
  await db.sql`
    with silent as (
      delete from millrace.ticker where id in (
        select id from millrace.ticker
        where heartbeat_at < clock_timestamp() - interval '5 minutes' and id <> ${id}
        for update skip locked
      )
    )
    insert into millrace.ticker (id, host) values (${id}, ${host})
    on conflict (id) do update set heartbeat_at = clock_timestamp()`
}
