import { setImmediate } from 'node:timers/promises'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { RunStatus } from '#lib/core/status.ts'
import { dagConditions, latestOfDag } from '../read/dag-filter.ts'
import { rowOfListedRun, toListedRun, type ListedRow } from '../read/run-columns.ts'
import type { ListedRun } from '../read/run-record.ts'
import { linesOfSteps } from './lines-of-steps.ts'

export interface FoundDag {
  readonly fileName: string
  readonly name: string
  readonly group: string
  readonly suspended: boolean
  /** Of its newest run; null when it never ran. */
  readonly state: RunStatus | null
}

export interface FoundStep {
  readonly fileName: string
  readonly step: string
  /** Where it is in the text of the DAG; absent when that is not found. */
  readonly line?: number
}

export interface FoundNames {
  readonly dags: readonly FoundDag[]
  readonly runs: readonly ListedRun[]
  readonly steps: readonly FoundStep[]
}

/**
 * DAGs by the words of their names, tags and groups, runs by a part of their id, and steps by a part of their name, at
 * most `limit` each; those that begin with the text first. For an empty text the first DAGs and the newest runs. Needs
 * no extension of PostgreSQL: DAGs and steps, of which there are thousands, are looked through; of runs, of which there
 * are millions, an index knows the beginnings of ids, and a part is looked for among the newest only.
 */
export async function searchNames(
  db: Database,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<FoundNames> {
  const [dags, runs, steps] = await Promise.all([
    findDags(db, text, limit),
    text === '' ? newestRuns(db, limit) : findRuns(db, text, limit),
    text === '' ? [] : findSteps(db, text, limit),
  ])
  return { dags, runs, steps }
}

async function findDags({ sql }: Database, text: string, limit: number): Promise<FoundDag[]> {
  return await sql<FoundDag[]>`
    select found.*, latest.state from (
      select file_name as "fileName", dag_name as name, dag_name, group_name as group,
        suspended_at is not null as suspended,
        starts_with(lower(file_name), lower(${text})) or starts_with(lower(dag_name), lower(${text})) as begins
      from millrace.dag where ${dagConditions(sql, { q: text })}
      order by begins desc, lower(dag_name), file_name limit ${limit}
    ) as found
    cross join lateral (select found.dag_name) as dag
    ${latestOfDag(sql)}
    order by found.begins desc, lower(found.name), found."fileName"`.then((rows) =>
    rows.map(({ fileName, name, group, suspended, state }) => ({ fileName, name, group, suspended, state })),
  )
}

async function newestRuns({ sql }: Database, limit: number): Promise<ListedRun[]> {
  const rows = await sql<ListedRow[]>`
    select ${rowOfListedRun(sql)} from millrace.dag_run where parent_key is null
    order by created_at desc, run_key desc limit ${limit}`
  return rows.map(toListedRun)
}

/** Ids that the service makes begin with the time: in their order, backwards, the newest come first. */
async function findRuns({ sql }: Database, text: string, limit: number): Promise<ListedRun[]> {
  if (!/^[\w-]{1,64}$/.test(text)) return []
  const beginning = await sql<ListedRow[]>`
    select ${rowOfListedRun(sql)} from millrace.dag_run
    where parent_key is null and run_id ~>=~ ${text} and run_id ~<~ ${`${text}~`}
    order by run_id using ~>~ limit ${limit}`
  if (beginning.length >= limit || text.length < limits.partOfIdLengthMin) return beginning.map(toListedRun)
  const among = await sql<ListedRow[]>`
    select ${rowOfListedRun(sql)} from millrace.dag_run
    where run_key in (
      select run_key from (
        select run_key, run_id from millrace.dag_run where parent_key is null
        order by created_at desc, run_key desc limit ${limits.searchedRunsMax}
      ) as newest
      where position(${text} in run_id) > 1 limit ${limit - beginning.length}
    )
    order by created_at desc, run_key desc`
  return [...beginning, ...among].map(toListedRun)
}

async function findSteps({ sql }: Database, text: string, limit: number): Promise<FoundStep[]> {
  const rows = await sql<{ fileName: string; names: string; spec: string }[]>`
    select found."fileName", found.names, f.spec from (
      select file_name as "fileName", step_names as names, definition_hash from millrace.dag
      where position(lower(${text}) in lower(step_names)) > 0
      order by not starts_with(lower(step_names), lower(${text})), file_name limit ${limit}
    ) as found
    join millrace.definition f on f.hash = found.definition_hash
    order by found."fileName"`
  const wanted = text.toLowerCase()
  const found = rows.flatMap(({ fileName, names }) =>
    names
      .split('\n')
      .filter((step) => step.toLowerCase().includes(wanted))
      .slice(0, limit)
      .map((step) => ({ fileName, step })),
  )
  const rank = ({ step }: { readonly step: string }): number =>
    step.toLowerCase() === wanted ? 0 : step.toLowerCase().startsWith(wanted) ? 1 : 2
  const shown = found.toSorted((a, b) => rank(a) - rank(b)).slice(0, limit)
  const lines = new Map<string, ReadonlyMap<string, number>>()
  for (const { fileName, spec } of rows) {
    const steps = shown.filter((one) => one.fileName === fileName).map(({ step }) => step)
    if (steps.length === 0) continue
    // Files are large: others get their turn in between.
    await setImmediate()
    lines.set(fileName, linesOfSteps(spec, steps))
  }
  return shown.map(({ fileName, step }) => {
    const line = lines.get(fileName)?.get(step)
    return { fileName, step, ...(line !== undefined && { line }) }
  })
}
