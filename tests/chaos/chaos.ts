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
import { createDag, startDeployment } from './deployment.ts'

/** The size of a chaos run. */
export interface Scale {
  /** The DAGs that the load consists of. */
  readonly dags: readonly ChaosDag[]
  readonly faults: FaultCounts
  /** Whether the service runs behind a transaction pooler. */
  readonly pooled?: boolean
  /** How often a process dies, hangs or meets an error at each failpoint. */
  readonly failpointTimes: number
  /** The longest pause before a fault, milliseconds. */
  readonly pauseMs: number
  /** Injects a fault each time that this many more starts are accepted, instead of after pauses; starts all runs. */
  readonly startsPerFault?: number
  /** No fault is injected later than this, milliseconds from the start. */
  readonly limitMs: number
  /** How many runs are started at most. */
  readonly runsMax: number
  /** After the last fault, the longest time without a run ending until all have ended, milliseconds. */
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
  const deployment = await startDeployment({ pooled: scale.pooled === true })
  try {
    const faultDice = seeded(seed)
    const watching = watch(deployment.db)
    const winding = wind(deployment.db)
    let isOver = false
    const { dags, runsMax, startsPerFault } = scale
    for (const dag of [...dags, clockwork]) await createDag(deployment.apis, dag)
    const { loaded, done: loading } = load(
      { ...deployment, random: seeded(seed + 1) },
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
      drill(deployment.members, drills, { file: join(deployment.folder, 'failpoints'), isOver: isTimeUp }),
      inject(deployment, faults, { random: faultDice, pause, isOver: isTimeUp }),
    ])
    if (startsPerFault !== undefined) while (!isAccepted(runsMax)) await sleep(10)
    isOver = true
    const instants = await winding.end()
    await loading
    await calm(deployment.db, scale.calmMs)
    const watched = await watching.end()
    await Promise.all(deployment.members.map((member) => member.end('SIGTERM')))
    const findings = [
      ...(await judge(deployment, { loaded, injected, watched })),
      await judgeClockwork(deployment.db, instants),
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
    await deployment.close()
  }
}

/** Waits until all work is done, as long as runs keep ending: queued runs end one after the other. */
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
