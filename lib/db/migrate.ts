import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Database } from './client.ts'

const folder = new URL('../../migrations/', import.meta.url)

interface Migration {
  readonly name: string
  readonly text: string
  readonly hash: string
}

/** Reads the migrations in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

const ground = `
create schema if not exists millrace;
create table if not exists millrace.migration (
  name text primary key,
  hash text not null,
  applied_at timestamptz not null default now()
);
`

/**
 * Brings the database to this version. Any number may start at once: each file is one multi-statement query, which is
 * one transaction, and takes a lock first, so a second starter waits and then finds the file applied.
 * @throws Error when an applied file was changed, or the database is newer than this program
 */
export async function migrate(database: Database): Promise<void> {
  const db = database.within(migrationMs)
  await db.sql.unsafe(`${lock}${ground}`)
  const known = new Set<string>()
  for (const { name, text, hash } of await readMigrations()) {
    known.add(name)
    await db.sql.unsafe(`${lock}${once(name, hash, text)}`)
  }
  const applied = await db.sql<{ name: string }[]>`select name from millrace.migration order by name`
  const newer = applied.filter((row) => !known.has(row.name))
  if (newer.length > 0) {
    throw new Error(
      `the database is newer than this program: it has ${newer.map((row) => row.name).join(', ')}`,
    )
  }
}

/** A large table takes its time, and so does another who migrates. */
const migrationMs = 3_600_000

/** Any fixed number; held to the end of the transaction. */
const lock = 'select pg_advisory_xact_lock(7263001);\n'

function once(name: string, hash: string, text: string): string {
  return `do $migrate$
declare
  applied text := (select hash from millrace.migration where name = '${name}');
begin
  if applied is null then
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
