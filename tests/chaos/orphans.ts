import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#tests/support/until.ts'
import { post } from './api-of.ts'
import type { Finding } from './judge.ts'
import { createDag, leaseS, startDeployment, type Deployment } from './deployment.ts'

/** Scripts that leave a process behind. It sleeps for $1 seconds, a unique number that identifies it. */
const leavings = {
  'ignores TERM': `trap '' TERM HUP INT; sh -c "trap '' TERM HUP INT; sleep $1; :" & wait`,
  'forks twice': `( ( trap '' TERM; exec sleep $1 > /dev/null 2>&1 ) & ) ; sleep 300`,
  'leaves its session': `setsid sh -c "trap '' TERM; sleep $1; :" > /dev/null 2>&1 & sleep 300`,
  'hides its environment': `env -i /bin/sleep $1 & sleep 300`,
} as const

/** How the run ends: its runner is killed, it is stopped, it ends by itself, or its runner hangs. */
const endings = ['kill', 'stop', 'end', 'pause'] as const
type Ending = (typeof endings)[number]

const kinds = Object.keys(leavings) as (keyof typeof leavings)[]
const fileOf = (kind: string, ending: string): string => `${kind.replaceAll(' ', '-')}-${ending}`

function specOf(kind: keyof typeof leavings, ending: Ending): string {
  // A step that ends by itself gives the process that it leaves behind a moment to start.
  const work = ending === 'end' ? leavings[kind].replace(/sleep 300$|wait$/, 'sleep 0.3') : leavings[kind]
  const script = work.replaceAll('$1', '$nap').split('\n').join('\n      ')
  return `params: "nap=1"\nmaxCleanUpTimeSec: 1\nsteps:\n  - name: leave\n    script: |\n      ${script}\n`
}

/** Processes that sleep for one of these numbers. */
function sleepers(naps: readonly string[]): { pid: number; nap: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [program = '', nap = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return program.endsWith('sleep') && naps.includes(nap) ? [{ pid: Number(pid), nap }] : []
      } catch {
        return []
      }
    })
}

/** Runs the cases in batches. @returns the processes that lived 2 s after the end of their runs */
export async function orphans(batches: number): Promise<Finding> {
  const deployment = await startDeployment({ apis: 1, ticks: 1, runners: 1, leaseS })
  let looked = 0
  const wrong: string[] = []
  try {
    for (const ending of endings) {
      for (const kind of kinds) {
        await createDag(deployment.apis, { name: fileOf(kind, ending), spec: specOf(kind, ending) })
      }
    }
    for (let batch = 0; batch < batches; batch++) {
      const ending = endings[batch % endings.length] ?? 'kill'
      const cases = kinds.map((kind, index) => ({
        kind,
        nap: `${3_000 + batch}.${index + 1}${process.pid}`,
        runId: `orphan-${batch}-${index}`,
      }))
      looked += cases.length
      for (const { pid, nap } of await play(deployment, ending, cases)) {
        const found = cases.find((one) => one.nap === nap)
        wrong.push(`batch ${batch}: ${found?.kind}, ${ending}`)
        process.kill(pid, 'SIGKILL')
      }
    }
  } finally {
    await deployment.close()
  }
  return { claim: 'no process that a step leaves behind lives 2 s after its end', looked, wrong }
}

interface Case {
  readonly kind: string
  readonly nap: string
  readonly runId: string
}

async function play(
  deployment: Deployment,
  ending: Ending,
  cases: readonly Case[],
): Promise<{ pid: number; nap: string }[]> {
  const { db } = deployment
  const [runner] = deployment.runners
  const naps = cases.map(({ nap }) => nap)
  const ids = cases.map(({ runId }) => runId).join(',')
  await Promise.all(
    cases.map(({ kind, nap, runId }) =>
      post(
        deployment,
        `/dags/${fileOf(kind, ending)}/start`,
        { dagRunId: runId, params: `nap=${nap}` },
        [200, 409],
      ),
    ),
  )
  const haveEnded = async (): Promise<boolean> => {
    const rows = await db.sql`
      select 1 from millrace.dag_run
      where run_id = any (string_to_array(${ids}, ',')) and finished_at is null`
    return rows.length === 0
  }
  const limits = { withinMs: 90_000, everyMs: 50 }
  if (ending !== 'end') {
    await until('all sleep', () => new Set(sleepers(naps).map(({ nap }) => nap)).size === naps.length, limits)
  }
  if (ending === 'kill') await runner?.kill()
  if (ending === 'stop') {
    await Promise.all(
      cases.map(({ kind, runId }) => post(deployment, `/dag-runs/${fileOf(kind, ending)}/${runId}/stop`)),
    )
  }
  if (ending === 'pause') {
    runner?.pause()
    await sleep(leaseS * 1_000)
  }
  if (ending === 'stop' || ending === 'end') await until('the runs have ended', haveEnded, limits)
  await sleep(2_000)
  const left = sleepers(naps)
  runner?.resume()
  return left
}
