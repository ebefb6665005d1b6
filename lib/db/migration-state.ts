import type { Database } from './client.ts'
import { codeOf } from './errors.ts'
import { readMigrations } from './read-migrations.ts'

/** How the database stands to the migrations of this program; names of files. */
export interface MigrationState {
  readonly present: readonly string[]
  readonly pending: readonly string[]
  /** Their text has changed since they were applied. */
  readonly changed: readonly string[]
  /** Applied by a newer program. */
  readonly newer: readonly string[]
}

/** Compares without changing anything. */
export async function migrationState(db: Database): Promise<MigrationState> {
  const applied = new Map((await appliedMigrations(db)).map(({ name, hash }) => [name, hash]))
  const own = await readMigrations()
  const names = new Set(own.map(({ name }) => name))
  return {
    present: [...applied.keys()],
    pending: own.filter(({ name }) => !applied.has(name)).map(({ name }) => name),
    changed: own
      .filter(({ name, hash }) => applied.has(name) && applied.get(name) !== hash)
      .map(({ name }) => name),
    newer: [...applied.keys()].filter((name) => !names.has(name)),
  }
}

async function appliedMigrations(db: Database): Promise<readonly { name: string; hash: string }[]> {
  try {
    return await db.sql<
      { name: string; hash: string }[]
    >`select name, hash from millrace.migration order by name`
  } catch (error) {
    const isAbsent = codeOf(error) === '42P01' || codeOf(error) === '3F000'
    if (isAbsent) return []
    throw error
  }
}
