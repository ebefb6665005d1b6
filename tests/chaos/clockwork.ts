import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#lib/db/client.ts'
import { step } from './dags.ts'
import type { Finding } from './judge.ts'

/** A DAG that is scheduled for leap days, and whenever the suite makes it due. */
export const clockwork = {
  name: 'clockwork',
  spec: [
    'schedule: 0 0 29 2 *',
    'overlapPolicy: all',
    'catchup: all',
    'steps:',
    step('tick', { beats: 1 }),
  ].join('\n'),
}

const everyMs = 250

/** Makes the schedule due whenever it has been served. @returns `end`, which stops this and returns the instants */
export function wind(db: Database): { readonly end: () => Promise<readonly number[]> } {
  const instants: number[] = []
  let isOver = false
  const loop = async (): Promise<void> => {
    while (!isOver) {
      // Whole seconds, because instants of a schedule have no fractions.
      const rows = await db.sql<{ ms: number }[]>`
        update millrace.schedule set next_at = date_trunc('second', clock_timestamp())
        where next_at > clock_timestamp() and file_name = ${clockwork.name}
        returning (extract(epoch from next_at) * 1000)::float8 as ms`.catch(() => [])
      instants.push(...rows.map(({ ms }) => ms))
      await sleep(everyMs)
    }
  }
  const done = loop()
  return {
    end: async () => {
      isOver = true
      await done
      return instants
    },
  }
}

/** Checks that each instant has one run, whatever happened to the ticks that served it. */
export async function judgeClockwork(db: Database, instants: readonly number[]): Promise<Finding> {
  const runs = await db.sql<{ ms: number }[]>`
    select (extract(epoch from scheduled_at) * 1000)::float8 as ms from millrace.dag_run
    where dag_name = ${clockwork.name}`
  const wanted = new Set(instants)
  const found = Map.groupBy(runs, ({ ms }) => ms)
  const wrong = [
    ...[...wanted].filter((ms) => found.get(ms) === undefined).map((ms) => `missing: ${ms}`),
    ...[...found].filter(([, all]) => all.length > 1).map(([ms]) => `doubled: ${ms}`),
  ]
  return { claim: 'every instant of a schedule makes one run', looked: wanted.size, wrong }
}
