import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import * as schema from '#lib/db/schema.ts'
import { readMigrations } from '#lib/db/read-migrations.ts'
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

test('the schema is the one that was reviewed', async () => {
  const constraints = await db.sql<{ line: string }[]>`
    select conrelid::regclass || ' ' || conname || ': ' || pg_get_constraintdef(oid) as line
    from pg_constraint where connamespace = 'millrace'::regnamespace and contype <> 'n' order by 1`
  const indexes = await db.sql<{ line: string }[]>`
    select indexdef as line from pg_indexes where schemaname = 'millrace' order by 1`
  const triggers = await db.sql<{ line: string }[]>`
    select pg_get_triggerdef(t.oid) as line from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'millrace'::regnamespace and not t.tgisinternal order by 1`
  const functions = await db.sql<{ line: string }[]>`
    select p.proname || '(' || pg_get_function_arguments(p.oid) || '): ' || pg_get_function_result(p.oid) as line
    from pg_proc p where p.pronamespace = 'millrace'::regnamespace order by 1`
  const views = await db.sql<{ line: string }[]>`
    select c.relname || '(' || string_agg(a.attname || ': ' || format_type(a.atttypid, a.atttypmod), ', '
      order by a.attnum) || ')' as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'millrace'::regnamespace and c.relkind = 'v' group by c.relname order by 1`
  const described = (await columns()).map(
    ({ table, name, type, required }) => `${table}.${name}: ${type}${required ? ' not null' : ''}`,
  )
  const lines = [constraints, indexes, triggers, functions, views].map((rows) => rows.map((row) => row.line))
  const text = [described, ...lines].map((part) => part.join('\n')).join('\n\n')
  await expect(`${text}\n`).toMatchFileSnapshot('schema.snapshot.txt')
})

const top = `-- What the migrations have made of functions, triggers and views, with what each migration says of them.
-- Written by schema.test.ts (\`-u\`), to be read and reviewed; nothing runs it.
`

interface Stated {
  /** What each migration says above it, the oldest first. */
  comments: string
  /** The last statement that makes it. */
  text: string
}

const statement =
  /((?:^--.*\n)*)(?:^drop .*\n\n)?(^create (?:or replace )?(?:(?:function|view) millrace\.|trigger )(\w+)[^;]*;)/gm

async function statements(): Promise<ReadonlyMap<string, Stated>> {
  const found = new Map<string, Stated>()
  for (const { name: file, text } of await readMigrations()) {
    for (const [, comment = '', made = '', name = ''] of text.matchAll(statement)) {
      const before = found.get(name)?.comments ?? ''
      found.set(name, { comments: `${before}-- migrations/${file}\n${comment}`, text: made })
    }
  }
  return found
}

test('functions, triggers and views are those that were reviewed, each in one place', async () => {
  // A view is shown as its migration states it: each version of PostgreSQL writes it anew in another way.
  const made = await db.sql<{ name: string; text: string | null }[]>`
    select p.proname as name, trim(trailing E'\n' from pg_get_functiondef(p.oid)) || ';' as text
    from pg_proc p where p.pronamespace = 'millrace'::regnamespace
    union all
    select t.tgname, pg_get_triggerdef(t.oid) || ';'
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'millrace'::regnamespace and not t.tgisinternal
    union all
    select c.relname, null
    from pg_class c where c.relnamespace = 'millrace'::regnamespace and c.relkind = 'v'
    order by 1`
  const stated = await statements()
  const parts = made.map(({ name, text }) => {
    const { comments, text: last } = stated.get(name) ?? expect.fail(`no migration makes ${name}`)
    return `${comments}${text ?? last}\n`
  })
  await expect([top, ...parts].join('\n')).toMatchFileSnapshot('functions.snapshot.sql')
})

test('every column that Drizzle reads exists, with its type', async () => {
  const found = new Map((await columns()).map((column) => [`${column.table}.${column.name}`, column]))
  const read = Object.values(schema).flatMap((table) => {
    if (!is(table, PgTable)) return []
    const { name } = getTableConfig(table)
    return Object.values(getTableColumns(table)).map((column) => ({
      place: `${name}.${column.name}`,
      type: column.getSQLType(),
      required: column.notNull,
    }))
  })
  expect(read.length).toBeGreaterThan(50)
  const wrong = read.filter(({ place, type, required }) => {
    const column = found.get(place)
    return column === undefined || column.type !== type || (required && !column.required)
  })
  expect(wrong).toEqual([])
})
