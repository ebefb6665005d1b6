import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import * as schema from '#lib/db/schema.ts'
import { readFunctions } from '#lib/db/read-migrations.ts'
import { testDatabase } from '#tests/support/database.ts'

const { db } = await testDatabase()

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly required: boolean
}

async function columns(): Promise<readonly Column[]> {
  return db.sql<Column[]>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as required
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'millrace'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    order by 1, a.attnum`
}

test('functions of the database and their files match by name', async () => {
  const made = await db.sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = 'millrace'::regnamespace order by 1`
  const { files } = readFunctions()
  expect(made.map(({ name }) => `functions/${name}.sql`)).toEqual(files.map(({ name }) => name))
})

test('every function fixes its search path', async () => {
  const loose = await db.sql`
    select proname from pg_proc
    where pronamespace = 'millrace'::regnamespace and prosqlbody is null
      and not coalesce('search_path=pg_catalog' = any (proconfig), false)`
  expect(loose).toEqual([])
})

test('every column that Drizzle reads exists, with its type', async () => {
  const found = new Map((await columns()).map((column) => [`${column.table}.${column.name}`, column]))
  const read = Object.values(schema).flatMap((table) => {
    if (!is(table, PgTable)) return []
    const { name } = getTableConfig(table)
    return Object.values(getTableColumns(table)).map((column) => ({
      path: `${name}.${column.name}`,
      type: column.getSQLType(),
      required: column.notNull,
    }))
  })
  expect(read.length).toBeGreaterThan(50)
  const wrong = read.filter(({ path, type, required }) => {
    const column = found.get(path)
    return column === undefined || column.type !== type || (required && !column.required)
  })
  expect(wrong).toEqual([])
})

test('functions without sequential scans, whose plans look expensive, are not compiled', async () => {
  const rows = await db.sql<{ name: string; config: string[] }[]>`
    select p.proname as name, p.proconfig as config from pg_proc p
    where p.pronamespace = 'millrace'::regnamespace and 'enable_seqscan=off' = any(p.proconfig)`
  expect(rows.map(({ name }) => name)).toContain('check_invariants')
  expect(rows.filter(({ config }) => !config.includes('jit=off'))).toEqual([])
})
