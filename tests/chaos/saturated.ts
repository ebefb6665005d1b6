import { spawn, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#tests/support/until.ts'
import { post } from './api-of.ts'
import { step } from './dags.ts'
import type { Finding } from './judge.ts'
import { overlaps, readLedger } from './ledger.ts'
import { createDag, startWorld, type World } from './world.ts'

const runCount = 24
/** The default. */
const leaseS = 45
const continuedMsMax = 60_000
/** Longer than anything here takes. */
const beats = 3_600

export interface Saturated {
  readonly findings: readonly Finding[]
  /** The shortest time that a lease had left while the machine was busy, seconds. */
  readonly leastLeftS: number
  /** From the death of a runner until the last of its runs continued, milliseconds. */
  readonly continuedMs: number
}

/**
 * Long runs on three runners with the default lease, while twice as many processes as there are cores do nothing but
 * compute; then one of the runners is killed.
 */
export async function saturated(minutes: number): Promise<Saturated> {
  const world = await startWorld({ apis: 1, ticks: 2, runners: 3, leaseS })
  const burners: ChildProcess[] = []
  try {
    await createDag(world.apis, {
      name: 'long',
      spec: ['steps:', step('beat', { beats, pauseS: 1 })].join('\n'),
    })
    for (let index = 0; index < runCount; index++) {
      await post(world, '/dags/long/start', { dagRunId: `long-${index}` }, [200, 409])
    }
    await until('all run', async () => (await running(world, 1)).length === runCount, { withinMs: 180_000 })
    for (let count = 2 * availableParallelism(); count > 0; count--) burners.push(burn(minutes + 10))
    const leastLeftS = await watchLeases(world, minutes * 60_000)
    const kept = new Set(await running(world, 1))
    const taken = (await running(world, 0)).filter((id) => !kept.has(id))
    const { lost, continuedMs } = await killOne(world)
    const findings = [
      { claim: 'no run is taken from a runner that lives', looked: runCount, wrong: taken },
      {
        claim: `runs of a runner that died go on within ${continuedMsMax / 1_000} s`,
        looked: lost,
        wrong: continuedMs > continuedMsMax ? [`${Math.round(continuedMs)} ms`] : [],
      },
      {
        claim: 'processes of two owners never lived at once',
        looked: runCount,
        wrong: overlaps(readLedger(world.ledger())),
      },
    ]
    return { findings, leastLeftS, continuedMs }
  } finally {
    for (const burner of burners) burner.kill('SIGKILL')
    await world.close()
  }
}

/** A process that computes, and ends by itself after so many minutes at the latest. */
function burn(minutes: number): ChildProcess {
  return spawn(process.execPath, [
    '-e',
    `const end = Date.now() + ${minutes * 60_000}; while (Date.now() < end);`,
  ])
}

/** Ids of runs whose step executes, of those that were claimed so often; 0: however often. */
async function running({ db }: World, claims: number): Promise<string[]> {
  const rows = await db.sql<{ id: string }[]>`
    select r.run_id as id from millrace.dag_run r join millrace.dag_run_step s using (run_key)
    where s.status = 'running' and (${claims}::int = 0 or r.claim_token = ${claims}::int)`
  return rows.map(({ id }) => id)
}

async function watchLeases({ db }: World, ms: number): Promise<number> {
  let least = leaseS
  for (const end = performance.now() + ms; performance.now() < end; await sleep(200)) {
    const [row] = await db.sql<{ left: number }[]>`
      select extract(epoch from min(lease_until) - clock_timestamp())::float8 as left
      from millrace.dag_run where lease_owner is not null`
    least = Math.min(least, row?.left ?? least)
  }
  return least
}

/** Kills the runner with the most runs, for good. */
async function killOne(world: World): Promise<{ lost: number; continuedMs: number }> {
  const { db, runners } = world
  const [most] = await db.sql<{ owner: string; count: number }[]>`
    select lease_owner as owner, count(*)::int as count from millrace.dag_run
    where lease_owner is not null group by 1 order by 2 desc limit 1`
  const lost = most?.count ?? 0
  const victim = runners.find(({ pid }) => most?.owner.includes(`-${pid}-`))
  await victim?.end('SIGKILL')
  const begun = performance.now()
  await until('its runs go on', async () => (await running(world, 2)).length === lost, {
    withinMs: 5 * continuedMsMax,
    everyMs: 100,
  })
  return { lost, continuedMs: performance.now() - begun }
}
