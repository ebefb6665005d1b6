import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './client.ts'
import { codeOf, passesByRetry } from './errors.ts'
import { migrationState } from './migration-state.ts'
import { readMigrations, type Migration } from './read-migrations.ts'

const ground = `
create schema if not exists millrace;
create table if not exists millrace.migration (
  name text primary key,
  hash text not null,
  applied_at timestamptz not null default now()
);
`

/**
 * Brings the database to this version, while processes of the version before may keep working. Any number may migrate
 * at once: each file is one multi-statement query, so one transaction, and takes a lock first; the second to come
 * waits, and then finds the file applied. A table lock is waited for only briefly at a time, because everybody else
 * would queue behind the waiter.
 * @param only these of the migrations; all when absent
 * @throws Error when an applied file was changed, the database is newer than this program, or a table is never free
 */
export async function migrate(database: Database, only?: ReadonlySet<string>): Promise<void> {
  // The usual case, at each start of a part, by one query.
  const before = await migrationState(database)
  if ([before.pending, before.changed, before.newer].every((names) => names.length === 0)) return
  const db = database.within(migrationMs)
  await db.sql.unsafe(`${lock}${ground}`)
  for (const migration of await readMigrations()) {
    if (only?.has(migration.name) !== false) await applyMigration(db, migration)
  }
  const { newer } = await migrationState(db)
  if (newer.length > 0) {
    throw new Error(`the database is newer than this program: it has ${newer.join(', ')}`)
  }
}

const tableWaitMs = 2_000
const triesMax = 150
const pauseMs = { least: 200, most: 2_000 }

/**
 * Applies one migration, unless that was done before.
 * @throws Error when it was changed since, or a table that it needs is never free
 */
export async function applyMigration(db: Database, { name, hash, text }: Migration): Promise<void> {
  for (let tries = 1, wait = pauseMs.least; ; tries++, wait = Math.min(wait * 2, pauseMs.most)) {
    try {
      await db.sql.unsafe(`${lock}${unlessApplied(name, hash, text)}`)
      return
    } catch (error) {
      if (codeOf(error) !== '55P03' && !passesByRetry(error)) throw error
      if (tries === triesMax)
        throw new Error(`migration ${name} waits in vain for a table that others use`, { cause: error })
      await pause(wait)
    }
  }
}

/** Milliseconds: a large table takes its time, and so does another process that migrates. */
const migrationMs = 3_600_000

/** Key of the advisory lock, any fixed number; held until the end of the transaction. */
const lock = 'select pg_advisory_xact_lock(7263001);\n'

function unlessApplied(name: string, hash: string, text: string): string {
  return `do $migrate$
declare
  applied text := (select hash from millrace.migration where name = '${name}');
begin
  if applied is null then
    perform set_config('lock_timeout', '${tableWaitMs}', true);
    execute ${quote(text)};
    insert into millrace.migration (name, hash) values ('${name}', '${hash}');
  elsif applied <> '${hash}' then
    raise exception 'migration ${name} was changed after it was applied';
  end if;
end
$migrate$;`
}

function quote(text: string): string {
  if (text.includes('$migration$')) throw new Error('a migration holds the quote that the migrator uses')
  return `$migration$${text}$migration$`
}
