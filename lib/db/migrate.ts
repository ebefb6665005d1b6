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
 * Brings the database to this version, while processes of the previous version may keep working. Any number may migrate
 * at once: each transaction takes a lock first; the second to come waits, and then finds the work done. First the
 * numbered files, each in one transaction; then, in one transaction, all functions whose text has changed. A function
 * is replaced only by one of the same signature, so those of the previous version keep calling it; another signature
 * needs another name. A table lock is waited for only briefly at a time, because everybody else would queue behind
 * the waiter.
 *
 * An older program changes nothing in a newer database: functions carry the revision of the program that applied them,
 * and a program with a lower one leaves them as they are.
 * @throws Error when an applied file was changed, the database is newer than this program, older than 0041, or a table
 * is never free
 */
export async function migrate(database: Database): Promise<void> {
  // The usual case, at each start of a part, by one query.
  const { isCurrent, before } = await migrationState(database)
  if (isCurrent) return
  assertUpgradable(before)
  const db = database.within(migrationMs)
  await db.sql.unsafe(`${lock}${ground}`)
  if (before.length > 0) {
    // At once, because the earlier functions do not fit the new tables.
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
 * Applies numbered files alone.
 * @param only these of them; all when absent
 * @throws Error as `migrate`
 */
export async function makeTables(database: Database, only?: ReadonlySet<string>): Promise<void> {
  const db = database.within(migrationMs)
  await db.sql.unsafe(`${lock}${ground}`)
  for (const migration of readMigrations()) {
    if (only?.has(migration.name) !== false) await applyMigration(db, migration)
  }
}

/**
 * Applies one numbered file, unless that was done before.
 * @throws Error when it was changed since, or a table that it needs is never free
 */
export async function applyMigration(db: Database, migration: Migration): Promise<void> {
  await apply(db, migration.name, applyNumbered(migration))
}

/**
 * Replaces the functions that differ, at once; does nothing where a newer program has applied its own.
 * @throws Error when the table of a trigger is never free
 */
export async function replaceFunctions(db: Database, functions: SqlFunctions): Promise<void> {
  await apply(db, 'of functions', applyFunctions(functions))
}

const triesMax = 150
const pauseMs = { least: 200, most: 2_000 }

async function apply(db: Database, name: string, text: string): Promise<void> {
  for (let tries = 1, wait = pauseMs.least; ; tries++, wait = Math.min(wait * 2, pauseMs.most)) {
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

/** Milliseconds: a large table takes its time, and so does another process that migrates. */
const migrationMs = 3_600_000
