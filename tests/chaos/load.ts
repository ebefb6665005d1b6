import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#lib/db/client.ts'
import type { ChaosDag } from './dags.ts'
import type { Member } from './member.ts'

/** The accepted runs, and the responses that should never occur. */
export interface Loaded {
  readonly accepted: { readonly runId: string; readonly dag: string }[]
  readonly faults: string[]
  /** How many calls were repeated. */
  repeats: number
}

const openRunsMax = 60

/**
 * Starts and enqueues runs through the APIs with eight concurrent callers, until `isOver` or `most` are accepted.
 * @returns the result so far, and a promise of the end
 */
export function load(
  { apis, db, random }: { apis: readonly Member[]; db: Database; random: () => number },
  until: { readonly dags: readonly ChaosDag[]; readonly most: number; readonly isOver: () => boolean },
): { readonly loaded: Loaded; readonly done: Promise<unknown> } {
  const loaded: Loaded = { accepted: [], faults: [], repeats: 0 }
  const { dags } = until
  const caller = async (): Promise<void> => {
    while (!until.isOver() && loaded.accepted.length < until.most) {
      if ((await openRuns(db)) >= openRunsMax) {
        await sleep(200)
        continue
      }
      const dag = dags[Math.floor(random() * dags.length)]
      if (dag !== undefined) await accept(dag, { apis, random }, loaded)
    }
  }
  return { loaded, done: Promise.all(Array.from({ length: 8 }, caller)) }
}

async function openRuns(db: Database): Promise<number> {
  try {
    const [row] = await db.sql<{ count: number }[]>`
      select count(*)::int as count from millrace.dag_run where status in ('not_started', 'running', 'queued')`
    return row?.count ?? openRunsMax
  } catch {
    return openRunsMax
  }
}

/** Repeats one request with the same idempotency key until it is acknowledged. */
async function accept(
  dag: ChaosDag,
  { apis, random }: { apis: readonly Member[]; random: () => number },
  loaded: Loaded,
): Promise<void> {
  const runId = randomBytes(9).toString('hex')
  const verb = dag.queue === undefined ? 'start' : 'enqueue'
  const body = JSON.stringify({ dagRunId: runId, ...(dag.queue !== undefined && { queue: dag.queue }) })
  const headers = { 'content-type': 'application/json', 'idempotency-key': runId }
  for (let attempt = 0; ; attempt++) {
    const url = apis[Math.floor(random() * apis.length)]?.url
    const reply =
      url === undefined
        ? undefined
        : await fetch(`${url}/api/v2/dags/${dag.name}/${verb}`, {
            method: 'POST',
            headers,
            body,
            signal: AbortSignal.timeout(5_000),
          }).catch(() => undefined)
    const text = (await reply?.text().catch(() => undefined)) ?? ''
    if (reply?.status === 200 && text !== '') {
      loaded.accepted.push({ runId, dag: dag.name })
      return
    }
    if (reply !== undefined && reply.status !== 503 && reply.status !== 200) {
      loaded.faults.push(`${verb} ${dag.name} was answered with ${reply.status}: ${text.slice(0, 200)}`)
      if (attempt > 50) return
    }
    loaded.repeats += 1
    await sleep(100)
  }
}
