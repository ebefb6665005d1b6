import { until } from '#tests/support/until.ts'
import { createMinutely, judgeMinutes, missMinutes } from '#tests/support/missed-instants.ts'
import type { Finding } from './judge.ts'
import { leaseS, startDeployment } from './deployment.ts'

const tickCount = 16
const scheduleCount = 1_000
const limitMs = 3_600_000

/** How long the ticks took together, milliseconds, and the findings. */
export interface Served {
  readonly tookMs: number
  readonly findings: readonly Finding[]
}

/** Runs sixteen ticks, which find a thousand schedules at once that have each missed the same number of minutes. */
export async function instants(count: number): Promise<Served> {
  const deployment = await startDeployment({ apis: 0, ticks: tickCount, runners: 0, leaseS })
  const { db, members } = deployment
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
      claim('every instant has a run', missing),
      claim('no instant has two runs', doubled),
      claim('no run belongs to an unknown instant', strange),
      { claim: 'check_invariants() is empty', looked: 1, wrong: audit.map((row) => JSON.stringify(row)) },
      {
        claim: 'no uncaught error and no unexpected exit',
        looked: members.length,
        wrong: members.flatMap((member) => member.faults),
      },
    ]
    return { tookMs, findings }
  } finally {
    await deployment.close()
  }

  async function tickers(): Promise<number> {
    return (await db.sql`select 1 from millrace.ticker`).length
  }
}
