import { inTransaction, type Ask } from './transaction.ts'

/** The first line of a backup. All lines are JSON. */
export interface BackupHead {
  readonly millraceBackup: 1
  readonly takenAt: string
  /** The migrations that were applied to the source database. */
  readonly migrations: readonly string[]
}

/** Precedes the rows of a table. Each row is a list of values as text or null, in the order of these columns. */
export interface BackupTable {
  readonly table: string
  readonly columns: readonly string[]
}

/** The last line. A backup without it is incomplete. */
export interface BackupEnd {
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
}

/**
 * Writes a consistent snapshot of all tables of the service, while the service keeps working. Works on any Postgres, as
 * any user who may read the tables, and without pg_dump.
 * @param put receives the text in chunks; the next one is sent when its promise resolves
 */
export function writeBackup(url: string, put: (text: string) => Promise<void>): Promise<BackupEnd> {
  const line = (value: BackupHead | BackupTable | BackupEnd) => put(`${JSON.stringify(value)}\n`)
  return inTransaction(url, 'isolation level repeatable read, read only', async (ask) => {
    const applied = await ask<{ name: string }>('select name from millrace.migration order by name')
    const takenAt = new Date().toISOString()
    await line({ millraceBackup: 1, takenAt, migrations: applied.map(({ name }) => name) })
    const rows: Record<string, number> = {}
    for (const table of await listTables(ask)) {
      await line({ table: table.name, columns: table.columns })
      rows[table.name] = await writeRows(ask, table, put)
    }
    await line({ rows })
    return { rows }
  })
}

const chunkLength = 1_048_576
const rowsPerFetch = { first: 10, max: 1_000 }

/** Adjusts the number of rows per fetch so that a chunk is about a megabyte. */
async function writeRows(ask: Ask, table: Table, put: (text: string) => Promise<void>): Promise<number> {
  const values = table.columns.map((column) => `"${column}"::text`).join(', ')
  const keys = table.keys.map((key) => `"${key}"`).join(', ')
  await ask(`declare reader no scroll cursor for
    select to_jsonb(array[${values}])::text as line from millrace."${table.name}" order by ${keys}`)
  let count = 0
  for (let size = rowsPerFetch.first; ;) {
    const lines = (await ask<{ line: string }>(`fetch ${size} from reader`)).map((row) => row.line)
    if (lines.length === 0) break
    const text = `${lines.join('\n')}\n`
    await put(text)
    count += lines.length
    size = Math.max(1, Math.min(rowsPerFetch.max, Math.floor((chunkLength * lines.length) / text.length)))
  }
  await ask('close reader')
  return count
}

interface Table {
  readonly name: string
  /** Without generated columns. */
  readonly columns: readonly string[]
  /** Columns of the primary key. In its order, parent rows precede their children. */
  readonly keys: readonly string[]
  /** Tables referenced by its foreign keys. */
  readonly needs: readonly string[]
}

/** All tables except the migrator's, each after the tables that it references. */
async function listTables(ask: Ask): Promise<Table[]> {
  const tables = await ask<Table>(`
    select c.relname as name,
      (
        select jsonb_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      ) as columns,
      (
        select jsonb_agg(a.attname order by array_position(i.indkey::int2[], a.attnum))
        from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
        where i.indrelid = c.oid and i.indisprimary
      ) as keys,
      coalesce((
        select jsonb_agg(distinct f.relname) from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid
      ), '[]') as needs
    from pg_class c
    where c.relnamespace = 'millrace'::regnamespace and c.relkind = 'r'
      and c.relname not in ('migration', 'applied_function')
    order by c.relname`)
  const sorted: Table[] = []
  while (sorted.length < tables.length) {
    const done = new Set(sorted.map(({ name }) => name))
    const next = tables.filter(({ name, needs }) => !done.has(name) && needs.every((need) => done.has(need)))
    if (next.length === 0) throw new Error('tables refer to each other in a circle')
    sorted.push(...next)
  }
  return sorted
}
