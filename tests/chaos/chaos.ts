import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#lib/db/client.ts'
import { until } from '#tests/support/until.ts'
import { clockwork, judgeClockwork, wind } from './clockwork.ts'
import type { ChaosDag } from './dags.ts'
import { drill, drillsFor, type Drilled } from './drills.ts'
import { inject, schedule, type FaultCounts, type Injected } from './faults.ts'
import { judge, type Finding } from './judge.ts'
import { load } from './load.ts'
import { seeded } from './random.ts'
import { watch } from './watch.ts'
import { createDag, startWorld } from './world.ts'

/** How much is done. */
export interface Scale {
  /** What the service is loaded with. */
  readonly dags: readonly ChaosDag[]
  readonly faults: FaultCounts
  /** Behind a transaction pooler. */
  readonly pooled?: boolean
  /** How often a process dies, hangs or meets an error at each failpoint. */
  readonly failpointTimes: number
  /** Faults come after pauses of up to so long, milliseconds. */
  readonly pauseMs: number
  /** Instead of pauses: a fault each time that so many more starts are accepted, and the load goes on to its end. */
  readonly startsPerFault?: number
  /** No fault begins later, milliseconds after the first. */
  readonly limitMs: number
  /** Runs that are started at most. */
  readonly runsMax: number
  /** Within this time after the last fault all runs must have ended, milliseconds. */
  readonly calmMs: number
}

export interface Verdict {
  readonly injected: Injected
  readonly drilled: Drilled
  readonly accepted: number
  readonly repeats: number
  readonly tookMs: number
  readonly findings: readonly Finding[]
}

/** Starts the service as real processes, loads it, injects faults in the order of the seed, and judges. */
export async function chaos(scale: Scale, seed: number): Promise<Verdict> {
  const begun = performance.now()
  const world = await startWorld({ pooled: scale.pooled === true })
  try {
    const faultDice = seeded(seed)
    const watching = watch(world.db)
    const winding = wind(world.db)
    let isOver = false
    const { dags, runsMax, startsPerFault } = scale
    for (const dag of [...dags, clockwork]) await createDag(world.apis, dag)
    const { loaded, done: loading } = load(
      { ...world, random: seeded(seed + 1) },
      { dags, most: runsMax, isOver: () => isOver },
    )
    const isTimeUp = (): boolean => performance.now() - begun > scale.limitMs
    const isAccepted = (count: number): boolean => isTimeUp() || loaded.accepted.length >= count
    let faultsBefore = 0
    const pause = async (haste: number): Promise<void> => {
      if (startsPerFault === undefined) return sleep(scale.pauseMs * faultDice() * haste)
      const count = startsPerFault * (faultsBefore++ + 0.5)
      while (!isAccepted(count)) await sleep(10)
    }
    const drills = drillsFor(scale.failpointTimes, faultDice)
    const faults = schedule(scale.faults, faultDice)
    const [drilled, injected] = await Promise.all([
      drill(world.members, drills, { file: join(world.folder, 'failpoints'), isOver: isTimeUp }),
      inject(world, faults, { random: faultDice, pause, isOver: isTimeUp }),
    ])
    if (startsPerFault !== undefined) while (!isAccepted(runsMax)) await sleep(10)
    isOver = true
    const instants = await winding.end()
    await loading
    await until('all runs have ended', () => hasCalmed(world.db), {
      withinMs: scale.calmMs,
      everyMs: 500,
    }).catch(() => undefined)
    const watched = await watching.end()
    await Promise.all(world.members.map((member) => member.end('SIGTERM')))
    const findings = [
      ...(await judge(world, { loaded, injected, watched })),
      await judgeClockwork(world.db, instants),
    ]
    const { accepted, repeats } = loaded
    return {
      injected,
      drilled,
      accepted: accepted.length,
      repeats,
      tookMs: performance.now() - begun,
      findings,
    }
  } finally {
    await world.close()
  }
}

async function hasCalmed(db: Database): Promise<boolean> {
  const left = await db.sql`
    select 1 from millrace.dag_run where finished_at is null
    union all select 1 from millrace.schedule where next_at <= clock_timestamp() limit 1`.catch(() => [1])
  return left.length === 0
}
