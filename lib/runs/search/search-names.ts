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
  /** Status of its newest run; null: never ran. */
  readonly state: RunStatus | null
}

export interface FoundStep {
  readonly fileName: string
  readonly step: string
  /** Line in the spec, counted from 1; absent when not found. */
  readonly line?: number
}

export interface FoundNames {
  readonly dags: readonly FoundDag[]
  readonly runs: readonly ListedRun[]
  readonly steps: readonly FoundStep[]
}

/**
 * Finds DAGs by words of their names, tags and groups, runs by part of their id, and steps by part of their name.
 * Returns at most `limit` of each, prefix matches first; for an empty text, the first DAGs and the newest runs. Needs
 * no extension of PostgreSQL: the thousands of DAGs and steps are scanned; of the millions of runs, an index finds
 * prefixes of ids, and other parts are searched only in the newest.
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

/** Generated ids start with the time, so descending order puts the newest first. */
async function findRuns({ sql }: Database, text: string, limit: number): Promise<ListedRun[]> {
  if (!/^[\w-]{1,64}$/.test(text)) return []
  const prefixed = await sql<ListedRow[]>`
    select ${rowOfListedRun(sql)} from millrace.dag_run
    where parent_key is null and run_id ~>=~ ${text} and run_id ~<~ ${`${text}~`}
    order by run_id using ~>~ limit ${limit}`
  if (prefixed.length >= limit || text.length < limits.partOfIdLengthMin) return prefixed.map(toListedRun)
  const inner = await sql<ListedRow[]>`
    select ${rowOfListedRun(sql)} from millrace.dag_run
    where run_key in (
      select run_key from (
        select run_key, run_id from millrace.dag_run where parent_key is null
        order by created_at desc, run_key desc limit ${limits.searchedRunsMax}
      ) as newest
      where position(${text} in run_id) > 1 limit ${limit - prefixed.length}
    )
    order by created_at desc, run_key desc`
  return [...prefixed, ...inner].map(toListedRun)
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
    // Specs are large, so yield to the event loop in between.
    await setImmediate()
    lines.set(fileName, linesOfSteps(spec, steps))
  }
  return shown.map(({ fileName, step }) => {
    const line = lines.get(fileName)?.get(step)
    return { fileName, step, ...(line !== undefined && { line }) }
  })
}
