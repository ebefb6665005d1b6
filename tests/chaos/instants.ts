import { until } from '#tests/support/until.ts'
import { createMinutely, judgeMinutes, missMinutes } from '#tests/support/missed-instants.ts'
import type { Finding } from './judge.ts'
import { leaseS, startWorld } from './world.ts'

const tickCount = 16
const scheduleCount = 1_000
const limitMs = 3_600_000

/** How long all ticks together took, milliseconds, and what came of it. */
export interface Served {
  readonly tookMs: number
  readonly findings: readonly Finding[]
}

/** Sixteen processes tick, and all at once find a thousand schedules of which each has missed as many minutes. */
export async function instants(count: number): Promise<Served> {
  const world = await startWorld({ apis: 0, ticks: tickCount, runners: 0, leaseS })
  const { db, members } = world
  try {
    const minutes = Math.ceil(count / scheduleCount)
    for (let index = 0; index < scheduleCount; index++) {
      await createMinutely(db, `minutely-${index}`, `catchup: all\ncatchupWindow: ${minutes + 600}m`)
    }
    await until('all tick', async () => (await tickers()) === tickCount, { withinMs: 120_000 })
    const begun = performance.now()
    const first = await missMinutes(db, 'minutely-%', minutes - 1)
    const isDue = async (): Promise<boolean> =>
      (await db.sql`select 1 from millrace.schedule where next_at <= now() limit 1`).length > 0
    await until('nothing is due', async () => !(await isDue()), { withinMs: limitMs, everyMs: 100 })
    const tookMs = performance.now() - begun
    await Promise.all(members.map((member) => member.end('SIGTERM')))
    const { wanted, missing, doubled, strange } = await judgeMinutes(db, 'minutely-%', first)
    const audit = await db.sql`select * from millrace.check_invariants()`
    const claim = (text: string, wrong: number): Finding => ({
      claim: text,
      looked: wanted,
      wrong: Array.from({ length: wrong }, () => text),
    })
    const findings = [
      claim('no instant is without its run', missing),
      claim('no instant has two', doubled),
      claim('no run is of another instant', strange),
      { claim: 'audit() is empty', looked: 1, wrong: audit.map((row) => JSON.stringify(row)) },
      {
        claim: 'no uncaught error, no exit by itself',
        looked: members.length,
        wrong: members.flatMap((member) => member.faults),
      },
    ]
    return { tookMs, findings }
  } finally {
    await world.close()
  }

  async function tickers(): Promise<number> {
    return (await db.sql`select 1 from millrace.ticker`).length
  }
}
