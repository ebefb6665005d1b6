import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, inject } from 'vitest'
import { connect, type Database } from '#lib/db/client.ts'
import { urlOf } from './database-url.ts'
import { checkingResults } from './sql-results.ts'

export interface TestDatabase {
  /** For parts that connect by themselves. They must close their connections before the file ends. */
  readonly url: string
  readonly db: Database
  /** Opens another client, which is closed at the end of the file. */
  open(options?: { readonly max?: number }): Database
}

/**
 * A fresh, migrated database for one test file: `const { db } = await testDatabase()` at its top. After every test
 * the invariants of the database are checked (`millrace.check_invariants()`), those of a large one only after the
 * last; at the end it is dropped, and a connection that is still open then fails the file.
 */
export async function testDatabase({ isLarge = false } = {}): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const name = `millrace_test_${randomBytes(8).toString('hex')}`
  await administer(server, `create database ${name} template ${inject('databaseTemplate')}`)
  const url = urlOf(server, name)
  const clients: Database[] = []
  const open = ({ max = 4 }: { max?: number } = {}): Database => {
    const client = checkingResults(connect(url, { max, applicationName: 'millrace-test' }))
    clients.push(client)
    return client
  }
  const db = open()
  const violated = async () => await db.sql`select invariant, detail from millrace.check_invariants()`

  afterEach(async () => {
    if (!isLarge) expect(await violated()).toEqual([])
  })

  afterAll(async () => {
    const atEnd = isLarge ? await violated() : []
    await Promise.all(clients.map((client) => client.close()))
    const left = await connectionsLeft(server, name)
    await administer(server, `drop database ${name} with (force)`)
    expect(left, 'connections that nobody closed').toEqual([])
    expect(atEnd).toEqual([])
  })

  return { url, db, open }
}

async function administer(server: string, statement: string): Promise<void> {
  const admin = connect(server, { max: 1, applicationName: 'millrace-tests' })
  try {
    await admin.sql.unsafe(statement)
  } finally {
    await admin.close()
  }
}

/** Applications still connected. A backend needs a moment to notice that its client has disconnected. */
async function connectionsLeft(server: string, database: string): Promise<string[]> {
  const admin = connect(server, { max: 1, applicationName: 'millrace-tests' })
  try {
    for (let look = 0; ; look++) {
      const rows = await admin.sql<{ name: string }[]>`
        select application_name as name from pg_stat_activity
        where datname = ${database} and backend_type = 'client backend'`
      if (rows.length === 0 || look === 100) return rows.map((row) => row.name)
      await sleep(20)
    }
  } finally {
    await admin.close()
  }
}
