import type { Database } from './client.ts'
import { codeOf } from './errors.ts'
import { readFunctions, readMigrations } from './read-migrations.ts'
import { isOfBefore } from './schema-0041.ts'

/** The migrations of the database compared with those of this program, as file names. */
export interface MigrationState {
  readonly present: readonly string[]
  /** Numbered files that are not applied, and functions that differ from those of this program. */
  readonly pending: readonly string[]
  /** Numbered files whose text has changed since they were applied. */
  readonly changed: readonly string[]
  /** Applied by a newer program. */
  readonly newer: readonly string[]
  /** Numbered files from before 0042, which the next migration replaces. */
  readonly before: readonly string[]
  /** Nothing to do. May be false although no name is pending: this version may have only removed functions. */
  readonly isCurrent: boolean
}

/** Reads the state without changing anything. One query, unless the database has never been migrated. */
export async function migrationState(db: Database): Promise<MigrationState> {
  const rows = await readApplied(db)
  const [own, functions] = [readMigrations(), readFunctions()]
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]))
  const isDifferent = ({ name, hash }: { name: string; hash: string }): boolean => applied.get(name) !== hash
  const numbers = new Set(own.map(({ name }) => name))
  const foreign = rows.filter(({ name, revision }) => revision === null && !numbers.has(name))
  const revision = Math.max(0, ...rows.map((row) => row.revision ?? 0))
  const hashes = new Set(functions.files.map(({ hash }) => hash))
  const different = functions.files.filter(isDifferent)
  const isNewer = revision > functions.revision
  const state = {
    present: rows.map(({ name }) => name),
    pending: [...own.filter(({ name }) => !applied.has(name)), ...(isNewer ? [] : different)].map(
      ({ name }) => name,
    ),
    changed: own.filter((each) => applied.has(each.name) && isDifferent(each)).map(({ name }) => name),
    newer: [
      ...foreign.filter(({ name }) => !isOfBefore(name)),
      ...(isNewer ? rows.filter((row) => row.revision !== null && !hashes.has(row.hash)) : []),
    ].map(({ name }) => name),
    before: foreign.map(({ name }) => name).filter(isOfBefore),
  }
  const lists = [state.pending, state.changed, state.newer, state.before]
  return { ...state, isCurrent: lists.every((names) => names.length === 0) && revision >= functions.revision }
}

/** Names for a message; more than five functions are counted instead. */
export function listed(names: readonly string[]): string {
  const functions = names.filter((name) => name.startsWith('functions/'))
  if (functions.length <= 5) return names.join(', ')
  const others = names.filter((name) => !name.startsWith('functions/'))
  return [...others, `${functions.length} functions`].join(', ')
}

interface AppliedRow {
  readonly name: string
  readonly hash: string
  /** For functions: the revision of the newest program that applied them; null for numbered files. */
  readonly revision: number | null
}

async function readApplied(db: Database): Promise<readonly AppliedRow[]> {
  const all = await unlessAbsent(
    db.sql<AppliedRow[]>`
      select name, hash, null::int as revision from millrace.migration
      union all
      select name, hash, revision from millrace.applied_function
      order by name`,
  )
  if (all !== undefined) return all
  const numbered = await unlessAbsent(
    db.sql<AppliedRow[]>`select name, hash, null::int as revision from millrace.migration order by name`,
  )
  return numbered ?? []
}

/** @returns undefined where a table or the schema does not exist */
async function unlessAbsent<Result>(query: PromiseLike<Result>): Promise<Result | undefined> {
  try {
    return await query
  } catch (error) {
    if (codeOf(error) === '42P01' || codeOf(error) === '3F000') return undefined
    throw error
  }
}
