import { sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { hasPooler } from '#tests/support/pgbouncer.ts'
import { startPooler } from '#tests/support/pooler.ts'

test.skipIf(!hasPooler)('each statement through a transaction pooler gets its own answer', async () => {
  const db = connect(await startPooler(inject('databaseServer')), {
    max: 8,
    applicationName: 'millrace-tests',
    prepare: false,
  })
  onTestFinished(() => db.close())
  const values = Array.from({ length: 200 }, (_, index) => index)
  const answers = await Promise.all(
    values.map(async (value) => (await orm(db).execute(sql`select ${value}::int as value`))[0]?.['value']),
  )
  expect(answers).toEqual(values)
})

// The chaos suite names in it the process that made a write.
test.skipIf(!hasPooler)('the name of a connection applies to each of its statements', async () => {
  const url = await startPooler(inject('databaseServer'), 1)
  const named = ['one', 'other'].map((name) => {
    const options = { max: 2, applicationName: 'of the settings', prepare: false }
    const db = connect(`${url}?application_name=${name}`, options)
    onTestFinished(() => db.close())
    return { name, db }
  })
  const asked = Array.from({ length: 50 }, () => named).flat()
  const answers = await Promise.all(
    asked.map(({ db }) => db.sql<{ name: string }[]>`select current_setting('application_name') as name`),
  )
  expect(answers.map(([row]) => row?.name)).toEqual(asked.map(({ name }) => name))
})
