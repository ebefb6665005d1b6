import type { Database } from '#lib/db/client.ts'
import { until } from '#tests/support/until.ts'
import { queues } from './dags.ts'
import type { Injected } from './faults.ts'
import { mostAtOnce, overlaps, readLedger, type Execution } from './ledger.ts'
import type { Loaded } from './load.ts'
import { commandOf, processesWith, type Member } from './member.ts'
import type { Watched } from './watch.ts'
import type { Deployment } from './deployment.ts'

/** One line of the verdict: a claim, how many things were checked, and which were wrong. */
export interface Finding {
  readonly claim: string
  readonly looked: number
  readonly wrong: readonly string[]
}

/** Compares accepted runs with stored ones and executions with records, and checks the invariants of the database. */
export async function judge(
  deployment: Deployment,
  { loaded, injected, watched }: { loaded: Loaded; injected: Injected; watched: Watched },
): Promise<Finding[]> {
  const { db, members } = deployment
  const executions = readLedger(deployment.ledger())
  const runs = await db.sql<RunRow[]>`
    select run_key::text as key, run_id as id, dag_name as dag, status, trigger_type as trigger,
      queue, queued_at is not null as queued,
      finished_at is not null as ended, error,
      (select p.error from millrace.dag_run p where p.run_key = r.parent_key) as "errorOfParent"
    from millrace.dag_run r`
  const audit = await db.sql<
    { invariant: string; detail: string }[]
  >`select * from millrace.check_invariants()`
  const lanes = Object.entries(queues).map(([name, limit]) => {
    const ids = new Set(runs.filter((run) => run.queue === name && run.queued).map((run) => run.id))
    return { name, limit, most: mostAtOnce(executions, ids) }
  })
  const byId = new Map(runs.map((run) => [`${run.dag} ${run.id}`, run]))
  const accepted = new Set(loaded.accepted.map(({ dag, runId }) => `${dag} ${runId}`))
  const marked = await leftAtTheEnd(deployment)
  return [
    finding('every accepted run exists', loaded.accepted, ({ dag, runId }) => !byId.has(`${dag} ${runId}`)),
    finding(
      'every run was accepted',
      runs,
      ({ dag, id, trigger }) => trigger === 'api' && !accepted.has(`${dag} ${id}`),
    ),
    finding('every run has ended', runs, (run) => !run.ended),
    finding(
      'every run succeeds, unless it lost its runner three times or in a handler',
      runs,
      (run) => run.status !== 'success' && !isExcused(run),
    ),
    {
      claim: 'check_invariants() is empty at the end',
      looked: 1,
      wrong: audit.map((row) => JSON.stringify(row)),
    },
    { claim: 'check_invariants() is empty all the time', looked: watched.looks, wrong: watched.violations },
    { claim: 'a finished run never changes', looked: watched.finished, wrong: watched.changed },
    finding('every execution starts once', executions, (one) => one.begins !== 1),
    await attempts(db, executions),
    {
      claim: 'processes of two owners never live at the same time',
      looked: runs.length,
      wrong: overlaps(executions),
    },
    await writes(db, members),
    await logLines(db),
    {
      claim: 'queue limits hold for the processes in the ledger',
      looked: lanes.length,
      wrong: lanes.flatMap(({ name, limit, most }) =>
        most > limit ? [`${name}: ${most}, not ${limit}`] : [],
      ),
    },
    {
      claim: 'no process is left 2 s after the kill of its runner',
      looked: injected.orphans,
      wrong: injected.survivors,
    },
    { claim: 'no process of a run is left 2 s after the end', looked: executions.length, wrong: marked },
    {
      claim: 'no uncaught error and no unexpected exit',
      looked: members.length,
      wrong: members.flatMap((member) => member.faults),
    },
    { claim: 'every response is a 200 or a 503', looked: loaded.accepted.length, wrong: loaded.faults },
  ]
}

/** After the end of a runner its warden kills what is left and exits. @returns the processes that live 2 s later */
async function leftAtTheEnd({ mark, members }: Deployment): Promise<string[]> {
  const left = (): number[] =>
    processesWith(mark).filter((pid) => !members.some((member) => member.pid === pid))
  await until('nothing is left', () => left().length === 0, { withinMs: 2_000 }).catch(() => undefined)
  return left().map((pid) => `${pid}: ${commandOf(pid)}`)
}

interface RunRow {
  readonly key: string
  readonly id: string
  readonly dag: string
  readonly status: string
  readonly trigger: string
  readonly queue: string | null
  readonly queued: boolean
  readonly ended: boolean
  readonly error: string | null
  readonly errorOfParent: string | null
}

const lostTooOften = 'the run lost its runner three times in a row'

/**
 * Runs that repeatedly kill their runner must fail and stop their children. A parent fails with its child; handlers are
 * never retried.
 */
const isExcused = (run: RunRow): boolean =>
  run.status === 'failed'
    ? run.dag === 'family' ||
      run.error === lostTooOften ||
      /^\w+ handler failed: runner lost$/.test(run.error ?? '')
    : run.status === 'cancelled' && run.errorOfParent === lostTooOften

function finding<T extends object>(claim: string, all: readonly T[], isWrong: (one: T) => boolean): Finding {
  return { claim, looked: all.length, wrong: all.filter(isWrong).map((one) => JSON.stringify(one)) }
}

/** Every recorded attempt of a step was executed at most once, a successful one exactly once. */
async function attempts(db: Database, executions: readonly Execution[]): Promise<Finding> {
  const steps = await db.sql<{ id: string; name: string; status: string; tries: number; calls: boolean }[]>`
    select r.run_id as id, s.name, s.status, s.retry_count + 1 as tries, s.name = 'child' as calls
    from millrace.dag_run_step s join millrace.dag_run r using (run_key) where r.attempt = 1`
  // A failed child runs again with its parent, which deletes the rows of its first attempt.
  const again = await db.sql<{ id: string }[]>`
    select run_id as id from millrace.dag_run where attempt > 1`
  const skipped = new Set(again.map(({ id }) => id))
  const judged = executions.filter(({ runId }) => !skipped.has(runId))
  const counts = Map.groupBy(judged, (one) => `${one.runId} ${one.step}`)
  const wrong = steps.flatMap(({ id, name, status, tries, calls }) => {
    const own = counts.get(`${id} ${name}`) ?? []
    counts.delete(`${id} ${name}`)
    const ended = own.filter((one) => one.hasEnded).length
    if (own.length > tries) return [`${id} ${name}: executed ${own.length} times in ${tries} attempts`]
    if (status === 'success' && !calls && ended === 0) return [`${id} ${name}: succeeded, never executed`]
    return []
  })
  const unknown = [...counts.keys()].map((key) => `${key}: executed, not recorded`)
  return {
    claim: 'an attempt of a step is executed at most once',
    looked: steps.length,
    wrong: [...wrong, ...unknown],
  }
}

/** Every state of a step was written by the owner of the run at that time. */
async function writes(db: Database, members: readonly Member[]): Promise<Finding> {
  const rows = await db.sql<{ life: string; owner: string | null; count: number }[]>`
    select coalesce(life, '') as life, owner, count(*)::int as count from chaos.write
    where life like 'runner%' group by 1, 2`
  const lives = new Map(members.flatMap((member) => [...member.lives]))
  const wrong = rows.filter(({ life, owner }) => owner?.includes(`-${lives.get(life)}-`) !== true)
  const looked = rows.reduce((sum, row) => sum + row.count, 0)
  const claim = 'no write of an old owner is accepted'
  return { claim, looked, wrong: wrong.map((row) => JSON.stringify(row)) }
}

/** Executions number their lines: a finished one has all of them, and none occurs twice. */
async function logLines(db: Database): Promise<Finding> {
  const logs = await db.sql<{ step: string; status: string | null; body: Buffer }[]>`
    select concat_ws(' ', c.run_key, c.step, c.attempt, 'chunks', array_agg(c.sequence order by c.sequence)) as step,
      s.status, string_agg(c.body, ''::bytea order by c.sequence) as body
    from millrace.log_chunk c
    left join millrace.dag_run_step s on s.run_key = c.run_key and s.name = c.step and s.attempt = c.attempt
    where c.stream = 'stdout' and c.step <> 'child' group by c.run_key, c.step, c.attempt, s.status`
  const wrong: string[] = []
  let looked = 0
  for (const { step, status, body } of logs) {
    const lines = body.toString().split('\n').slice(0, -1)
    looked += lines.length
    const doubled = lines.find((line, index) => line !== '' && lines.indexOf(line) !== index)
    if (doubled !== undefined) wrong.push(`${step}: doubled: ${doubled}`)
    if (status !== 'success') continue
    const [, mark, count] = /^end (\S+) (\d+)$/.exec(lines.at(-1) ?? '') ?? []
    const own = lines.filter((line) => line.includes(`line ${mark} `))
    if (mark === undefined || own.length !== Number(count)) wrong.push(`${step}: lost: ${lines.join(' | ')}`)
  }
  return { claim: 'no log line is lost or doubled', looked, wrong }
}
