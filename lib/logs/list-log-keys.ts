import type { Database } from '#lib/db/client.ts'
import { runLogKey, type LogKey } from './log-store.ts'

const page = 200

/** All log streams that may exist: of every run, attempt and step. Not every one does. */
export async function* listLogKeys(db: Database): AsyncIterable<LogKey> {
  for (let after = '0'; ;) {
    const runs = await db.sql<{ key: string; attempt: number; steps: readonly string[] }[]>`
      select run_key::text as key, attempt,
        (select coalesce(jsonb_agg(name order by place), '[]') from millrace.dag_run_step s
          where s.run_key = r.run_key) as steps
      from millrace.dag_run r where run_key > ${after}::bigint order by run_key limit ${page}::int`
    for (const { key, attempt, steps } of runs) yield* keysOf(key, attempt, steps)
    const last = runs.at(-1)
    if (last === undefined) return
    after = last.key
  }
}

function* keysOf(runKey: string, attempts: number, steps: readonly string[]): Iterable<LogKey> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    yield runLogKey({ runKey, attempt })
    for (const step of steps) {
      yield { runKey, attempt, step, stream: 'stdout' }
      yield { runKey, attempt, step, stream: 'stderr' }
    }
  }
}
