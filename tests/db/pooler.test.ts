import { sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { hasPooler, startPooler } from '../support/pooler.ts'

test.skipIf(!hasPooler)('a transaction pooler gives each statement its own answer', async () => {
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
