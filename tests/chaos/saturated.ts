import { spawn, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#tests/support/until.ts'
import { post } from './api-of.ts'
import { step } from './dags.ts'
import type { Finding } from './judge.ts'
import { overlaps, readLedger } from './ledger.ts'
import { createDag, startDeployment, type Deployment } from './deployment.ts'

const runCount = 24
/** The default lease. */
const leaseS = 45
const continuedMsMax = 60_000
/** More beats than any step here can finish. */
const beats = 3_600

export interface Saturated {
  readonly findings: readonly Finding[]
  /** The shortest time that a lease had left while the machine was busy, seconds. */
  readonly leastLeftS: number
  /** From the death of a runner until the last of its runs continued, milliseconds. */
  readonly continuedMs: number
}

/**
 * Runs long runs on three runners with the default lease, while twice as many processes as cores do nothing but
 * compute; then kills one of the runners.
 */
export async function saturated(minutes: number): Promise<Saturated> {
  const deployment = await startDeployment({ apis: 1, ticks: 2, runners: 3, leaseS })
  const burners: ChildProcess[] = []
  try {
    await createDag(deployment.apis, {
      name: 'long',
      spec: ['steps:', step('beat', { beats, pauseS: 1 })].join('\n'),
    })
    for (let index = 0; index < runCount; index++) {
      await post(deployment, '/dags/long/start', { dagRunId: `long-${index}` }, [200, 409])
    }
    await until('all run', async () => (await running(deployment, 1)).length === runCount, {
      withinMs: 180_000,
    })
    for (let count = 2 * availableParallelism(); count > 0; count--) burners.push(burn(minutes + 10))
    const leastLeftS = await watchLeases(deployment, minutes * 60_000)
    const kept = new Set(await running(deployment, 1))
    const taken = (await running(deployment, 0)).filter((id) => !kept.has(id))
    const { lost, continuedMs } = await killOne(deployment)
    const findings = [
      { claim: 'no run is taken from a live runner', looked: runCount, wrong: taken },
      {
        claim: `runs of a dead runner continue within ${continuedMsMax / 1_000} s`,
        looked: lost,
        wrong: continuedMs > continuedMsMax ? [`${Math.round(continuedMs)} ms`] : [],
      },
      {
        claim: 'processes of two owners never live at the same time',
        looked: runCount,
        wrong: overlaps(readLedger(deployment.ledger())),
      },
    ]
    return { findings, leastLeftS, continuedMs }
  } finally {
    for (const burner of burners) burner.kill('SIGKILL')
    await deployment.close()
  }
}

/** Starts a process that computes for this many minutes, unless it is killed. */
function burn(minutes: number): ChildProcess {
  return spawn(process.execPath, [
    '-e',
    `const end = Date.now() + ${minutes * 60_000}; while (Date.now() < end);`,
  ])
}

/** Ids of the runs with a running step that were claimed this many times; 0 means any number. */
async function running({ db }: Deployment, claims: number): Promise<string[]> {
  const rows = await db.sql<{ id: string }[]>`
    select r.run_id as id from millrace.dag_run r join millrace.dag_run_step s using (run_key)
    where s.status = 'running' and (${claims}::int = 0 or r.claim_token = ${claims}::int)`
  return rows.map(({ id }) => id)
}

async function watchLeases({ db }: Deployment, ms: number): Promise<number> {
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
async function killOne(deployment: Deployment): Promise<{ lost: number; continuedMs: number }> {
  const { db, runners } = deployment
  const [most] = await db.sql<{ owner: string; count: number }[]>`
    select lease_owner as owner, count(*)::int as count from millrace.dag_run
    where lease_owner is not null group by 1 order by 2 desc limit 1`
  const lost = most?.count ?? 0
  const victim = runners.find(({ pid }) => most?.owner.includes(`-${pid}-`))
  await victim?.end('SIGKILL')
  const begun = performance.now()
  await until('its runs continue', async () => (await running(deployment, 2)).length === lost, {
    withinMs: 5 * continuedMsMax,
    everyMs: 100,
  })
  return { lost, continuedMs: performance.now() - begun }
}
