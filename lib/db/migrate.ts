import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './client.ts'
import { codeOf, passesByRetry } from './errors.ts'
import { listed, migrationState } from './migration-state.ts'
import { applyFunctions, applyNumbered, ground, lock, replaceThoseOfBefore } from './migration-text.ts'
import {
  readFunctions,
  readMigrations,
  readUpgrade,
  type Migration,
  type SqlFunctions,
} from './read-migrations.ts'
import { assertUpgradable } from './schema-0041.ts'

/**
 * Migrates the database to this version. Processes of the previous version may keep working. Concurrent migrators are
 * safe: each transaction takes a lock first, and the second migrator finds the work done. Numbered files are applied
 * first, each in a transaction; then all functions whose text has changed, in one transaction. A function keeps its
 * signature, so that the previous version can still call it; a different signature needs a different name. Waits for
 * table locks are short and repeated, because all other statements on the table queue behind the waiter.
 *
 * An older program changes nothing in a newer database: functions are stored with the revision of the program that
 * applied them, and a program with a lower revision leaves them unchanged.
 * @throws Error when an applied file was changed, a table lock cannot be had, or the database is newer than this
 * program or older than 0041
 */
export async function migrate(database: Database): Promise<void> {
  // The usual case at each start: one query.
  const { isCurrent, before } = await migrationState(database)
  if (isCurrent) return
  assertUpgradable(before)
  const db = database.within(migrationMs)
  await db.sql.unsafe(`${lock}${ground}`)
  if (before.length > 0) {
    // One transaction, because the old functions do not fit the new tables.
    const numbered = readMigrations()
    const all = [
      replaceThoseOfBefore(readUpgrade(), numbered),
      ...numbered.map(applyNumbered),
      applyFunctions(readFunctions()),
    ]
    await apply(db, 'upgrade_from_0041.sql', all.join('\n'))
  } else {
    await makeTables(db)
    await replaceFunctions(db, readFunctions())
  }
  const { newer } = await migrationState(db)
  if (newer.length > 0) {
    throw new Error(`the database is newer than this program: it has ${listed(newer)}`)
  }
}

/**
 * Applies the numbered files, without the functions.
 * @param only names of the files to apply; default: all
 * @throws Error as `migrate` does
 */
export async function makeTables(database: Database, only?: ReadonlySet<string>): Promise<void> {
  const db = database.within(migrationMs)
  await db.sql.unsafe(`${lock}${ground}`)
  for (const migration of readMigrations()) {
    if (only?.has(migration.name) !== false) await applyMigration(db, migration)
  }
}

/**
 * Applies one numbered file, unless it is already applied.
 * @throws Error when it was changed since, or a table lock cannot be had
 */
export async function applyMigration(db: Database, migration: Migration): Promise<void> {
  await apply(db, migration.name, applyNumbered(migration))
}

/**
 * Replaces the functions that differ, in one transaction; does nothing if a newer program has applied its own.
 * @throws Error when the lock on a table with a trigger cannot be had
 */
export async function replaceFunctions(db: Database, functions: SqlFunctions): Promise<void> {
  await apply(db, 'of functions', applyFunctions(functions))
}

const triesMax = 150
const pauseMs = { min: 200, max: 2_000 }

async function apply(db: Database, name: string, text: string): Promise<void> {
  for (let tries = 1, wait = pauseMs.min; ; tries++, wait = Math.min(wait * 2, pauseMs.max)) {
    try {
      await db.sql.unsafe(`${lock}${text}`)
      return
    } catch (error) {
      if (codeOf(error) !== '55P03' && !passesByRetry(error)) throw error
      if (tries === triesMax)
        throw new Error(`migration ${name} cannot lock a table that others use`, { cause: error })
      await pause(wait)
    }
  }
}

/** Time limit of a statement: rewriting a large table takes long, and so may another migrator that holds the lock. */
const migrationMs = 3_600_000
