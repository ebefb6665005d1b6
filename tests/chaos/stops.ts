import type { Finding } from './judge.ts'
import { until } from '#tests/support/until.ts'
import { post } from './api-of.ts'
import { createDag, startDeployment, type Deployment } from './deployment.ts'

/** Every fourth run is of the DAG whose step ignores TERM. */
const dags = [
  { name: 'quiet', spec: 'maxCleanUpTimeSec: 5\nsteps:\n  - sleep 3000\n' },
  {
    name: 'deaf',
    spec: `maxCleanUpTimeSec: 5\nsteps:\n  - script: "trap '' TERM; while :; do sleep 1; done"\n`,
  },
] as const

const atOnce = 16
const limits = { withinMs: 180_000, everyMs: 50 }

export interface Stopped {
  readonly finding: Finding
  /** Milliseconds from the acknowledged stop to the end of the run, by the clock of the database. */
  readonly p50: number
  readonly p99: number
}

/** Stops runs whose runner is alive or has just been killed, with the default lease. */
export async function stops(count: number, who: 'live' | 'dead'): Promise<Stopped> {
  const deployment = await startDeployment({ apis: 1, ticks: 1, runners: 1, leaseS: 45 })
  const took: number[] = []
  try {
    for (const dag of dags) await createDag(deployment.apis, dag)
    for (let batch = 0; took.length < count; batch++) took.push(...(await stopBatch(deployment, batch, who)))
  } finally {
    await deployment.close()
  }
  const sorted = took.toSorted((a, b) => a - b)
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  const limitMs = who === 'live' ? 10_000 : 60_000
  const wrong = at(0.99) > limitMs ? [`p99 ${at(0.99)} ms`] : []
  const claim = `99 % of stops take at most ${limitMs / 1_000} s with a ${who} runner`
  return { finding: { claim, looked: sorted.length, wrong }, p50: at(0.5), p99: at(0.99) }
}

async function stopBatch(deployment: Deployment, batch: number, who: 'live' | 'dead'): Promise<number[]> {
  const { db, runners } = deployment
  const runs = Array.from({ length: atOnce }, (_, index) => ({
    dag: index % 4 === 0 ? 'deaf' : 'quiet',
    id: `stop-${batch}-${index}`,
  }))
  const ids = runs.map(({ id }) => id).join(',')
  await Promise.all(
    runs.map(({ dag, id }) => post(deployment, `/dags/${dag}/start`, { dagRunId: id }, [200, 409])),
  )
  await until('all run', async () => (await steps(deployment, ids)) === runs.length, limits)
  // The restarted runner is another owner.
  if (who === 'dead') await runners[0]?.kill()
  await Promise.all(runs.map(({ dag, id }) => post(deployment, `/dag-runs/${dag}/${id}/stop`)))
  return await until(
    'all have ended',
    async () => {
      const rows = await db.sql<{ ms: number }[]>`
        select (extract(epoch from finished_at - stop_requested_at) * 1000)::float8 as ms from millrace.dag_run
        where run_id = any (string_to_array(${ids}, ',')) and finished_at is not null`
      return rows.length === runs.length && rows.map(({ ms }) => Math.round(ms))
    },
    limits,
  )
}

async function steps({ db }: Deployment, ids: string): Promise<number> {
  const rows = await db.sql`
    select 1 from millrace.dag_run r join millrace.dag_run_step s using (run_key)
    where r.run_id = any (string_to_array(${ids}, ',')) and s.status = 'running'`
  return rows.length
}
