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
  /** Instead of pauses: a fault each time that so many more starts are accepted, and the load continues to its end. */
  readonly startsPerFault?: number
  /** No fault begins later, milliseconds after the first. */
  readonly limitMs: number
  /** Runs that are started at most. */
  readonly runsMax: number
  /** After the last fault all runs must end, with no longer pause between two ends than this, milliseconds. */
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
    await calm(world.db, scale.calmMs)
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

/** Waits until nothing is left to do: what waits behind the limit of a queue takes its time, one after the other. */
async function calm(db: Database, pauseMs: number): Promise<void> {
  let left = Infinity
  const fewer = async (): Promise<boolean> => {
    const before = left
    left = Math.min(before, await countLeft(db))
    return left < before || left === 0
  }
  const patience = { withinMs: pauseMs, everyMs: 500 }
  while (left > 0) if (!(await until('a run ends', fewer, patience).catch(() => false))) return
}

async function countLeft(db: Database): Promise<number> {
  const [row] = await db.sql<{ left: number }[]>`
    select (select count(*) from millrace.dag_run where finished_at is null)::int
      + (select count(*) from millrace.schedule where next_at <= clock_timestamp())::int as left`.catch(
    () => [],
  )
  return row?.left ?? Infinity
}
