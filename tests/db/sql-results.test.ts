import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { checkingResults, sqlResults } from '#tests/support/sql-results.ts'
import { projectTree } from '#tests/tidy/tree.ts'

const { db } = await testDatabase()

test('the response of every function that the product calls has a schema', () => {
  const called = [...projectTree()]
    .filter(([path]) => /^(lib|functions|local)\/.*\.ts$/.test(path))
    .flatMap(([, text]) => [...text.matchAll(/\.call(?:<[^(]*>)?\(([^,)]*)/g)])
    .flatMap(([, name = '']) => [...name.matchAll(/'([a-z_]+)'/g)].map(([, one = '']) => one))
  expect([...new Set(called)].toSorted()).toEqual(Object.keys(sqlResults))
})

test('a response that does not fit its schema is refused', async () => {
  await db.sql.unsafe(`
    alter function millrace.stop_run rename to stop_run_as_it_was;
    create function millrace.stop_run(key bigint) returns text language sql as $$ select 'perhaps' $$`)
  await expect(checkingResults(db).call('stop_run', 1n)).rejects.toThrow(
    'millrace.stop_run answers otherwise',
  )
  await db.sql.unsafe(`
    drop function millrace.stop_run;
    alter function millrace.stop_run_as_it_was rename to stop_run`)
})
