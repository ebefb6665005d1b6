import type { BackupEnd, BackupHead, BackupTable } from './backup.ts'
import type { Database } from './client.ts'
import { makeTables, migrate } from './migrate.ts'
import { readMigrations } from './read-migrations.ts'
import { assertUpgradable, isOfBefore, namesOfNow } from './schema-0041.ts'
import { inTransaction, type Ask } from './transaction.ts'

/**
 * Restores a backup into a database without data of the service: creates the tables of the backup's version, fills them
 * in one transaction, and migrates them. The backup is read twice; an incomplete one is refused before anything
 * changes.
 * @param url of the same database
 * @param open opens the lines of the backup, from the first
 * @param replace first drops existing data of the service
 * @throws Error when the database has such data, or the backup is incomplete or from a newer version
 */
export async function restoreBackup(
  db: Database,
  url: string,
  open: () => AsyncIterable<string>,
  { replace }: { readonly replace: boolean },
): Promise<BackupEnd> {
  const { head, end } = await checkBackup(open())
  const tables = tablesOf(head)
  await makeRoom(db, replace)
  await makeTables(db, tables)
  await inTransaction(url, '', (ask) => fill(ask, open()))
  await migrate(db)
  return end
}

/** The numbered files that create the tables of the backup. */
function tablesOf(head: BackupHead): ReadonlySet<string> {
  const names = readMigrations().map(({ name }) => name)
  const others = head.migrations.filter((name) => !names.includes(name))
  const newer = others.filter((name) => !isOfBefore(name))
  if (newer.length > 0) throw new Error(`the backup is newer than this program: it has ${newer.join(', ')}`)
  assertUpgradable(others)
  return new Set(others.length > 0 ? names.filter(isOfBefore) : head.migrations)
}

async function checkBackup(lines: AsyncIterable<string>): Promise<{ head: BackupHead; end: BackupEnd }> {
  let head: BackupHead | undefined
  let end: BackupEnd | undefined
  let table = ''
  const counts: Record<string, number> = {}
  for await (const line of lines) {
    if (head === undefined) {
      if (!line.startsWith('{"millraceBackup":1,')) throw new Error('this is not a backup of the service')
      head = read(line) as BackupHead
    } else if (line.startsWith('[')) counts[table] = (counts[table] ?? 0) + 1
    else if (line.startsWith('{"rows":')) end = read(line) as BackupEnd
    else table = (read(line) as BackupTable).table
  }
  if (head === undefined || end === undefined) throw new Error('the backup is incomplete: its end is missing')
  for (const [name, count] of Object.entries(end.rows)) {
    if ((counts[name] ?? 0) !== count)
      throw new Error(`the backup is damaged: ${name} does not have ${count} rows`)
  }
  return { head, end }
}

function read(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new Error('the backup is incomplete: a line is truncated', { cause })
  }
}

/** Milliseconds; dropping a large schema takes long. */
const dropMs = 600_000

async function makeRoom(db: Database, replace: boolean): Promise<void> {
  if (replace) await db.within(dropMs).sql`drop schema if exists millrace cascade`
  const [row] = await db.sql<{ there: boolean }[]>`select to_regnamespace('millrace') is not null as there`
  if (row?.there === true) {
    throw new Error('the database has a schema millrace already; restore into another one, or use --replace')
  }
}

const chunkLength = 1_048_576

/** Restores rows unchanged: triggers such as the transition guard are disabled, foreign keys are checked. */
async function fill(ask: Ask, lines: AsyncIterable<string>): Promise<void> {
  let insert = ''
  let rows: string[] = []
  let length = 0
  const tables: string[] = []
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await ask(insert, [`[${rows.join(',')}]`])
    rows = []
    length = 0
  }
  for await (const line of lines) {
    if (line.startsWith('[')) {
      rows.push(line)
      length += line.length
      if (length >= chunkLength) await flush()
    } else if (line.startsWith('{"table":')) {
      await flush()
      const table = namesOfNow(JSON.parse(line) as BackupTable)
      await ask(`alter table millrace."${table.table}" disable trigger user`)
      await ask(`delete from millrace."${table.table}"`)
      insert = await insertOf(ask, table)
      tables.push(table.table)
    }
  }
  await flush()
  // A table with pending deferred checks cannot be altered.
  await ask('set constraints all immediate')
  for (const table of tables) await ask(`alter table millrace."${table}" enable trigger user`)
  await resetSequences(ask)
}

/** Casts each value to the type of its column in the target table. */
async function insertOf(ask: Ask, { table, columns }: BackupTable): Promise<string> {
  const found = await ask<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ('millrace.' || quote_ident($1))::regclass and attnum > 0 and not attisdropped`,
    [table],
  )
  const types = new Map(found.map(({ name, type }) => [name, type]))
  const values = columns.map((column, index) => {
    const type = types.get(column)
    if (type === undefined) throw new Error(`the backup is damaged: ${table} has no column ${column}`)
    return `(value ->> ${index})::${type}`
  })
  return `insert into millrace."${table}" (${columns.map((column) => `"${column}"`).join(', ')})
    overriding system value
    select ${values.join(', ')} from jsonb_array_elements($1::text::jsonb) with ordinality as given (value, place)
    order by place`
}

/** Advances the identity sequences beyond the restored keys. */
async function resetSequences(ask: Ask): Promise<void> {
  const columns = await ask<{ statement: string }>(`
    select format('select setval(pg_get_serial_sequence(%L, %L), coalesce(max(%I), 0) + 1, false) from %s',
      c.oid::regclass, a.attname, a.attname, c.oid::regclass) as statement
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'millrace'::regnamespace and c.relkind = 'r' and a.attidentity <> ''`)
  for (const { statement } of columns) await ask(statement)
}
