import { createHash } from 'node:crypto'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '#lib/db/client.ts'
import { migrate } from '#lib/db/migrate.ts'
import { startPostgres, type EmbeddedPostgres } from '#local/postgres/start-postgres.ts'
import { urlOf } from './database-url.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: string
    databaseTemplate: string
  }
}

const migrations = new URL('../../migrations/', import.meta.url).pathname
/** Cache of what is compiled once per run: the code of processes that are started often, and the page. */
const compiledCode = mkdtempSync(join(tmpdir(), 'millrace-compiled-'))
let folder: string | undefined
let embedded: EmbeddedPostgres | undefined

/** Provides one server for the whole run, that of DATABASE_URL or a temporary one, and a migrated database to clone. */
export async function setup(project: TestProject): Promise<void> {
  const server = process.env['DATABASE_URL'] ?? (await throwAwayServer())
  project.provide('databaseServer', server)
  project.provide('databaseTemplate', await template(server))
  process.env['TESTS_COMPILED_CODE'] = compiledCode
  project.onTestsRerun(() => rmSync(join(compiledCode, 'page'), { recursive: true, force: true }))
}

export async function teardown(): Promise<void> {
  await embedded?.close()
  for (const made of [compiledCode, folder]) {
    // The watchdog of the server removes at the same time, which makes one call fail without a word.
    while (made !== undefined && existsSync(made)) rmSync(made, { recursive: true, force: true })
  }
}

async function throwAwayServer(): Promise<string> {
  folder = mkdtempSync(join(tmpdir(), 'millrace-test-'))
  chmodSync(folder, 0o711)
  embedded = await startPostgres({ folder, durable: false })
  return embedded.url
}

/** Named after the hash of the migrations, so that an external server keeps it between runs until one changes. */
async function template(server: string): Promise<string> {
  const hash = createHash('sha256')
  for (const file of globSync('**/*.sql', { cwd: migrations }).toSorted())
    hash.update(readFileSync(join(migrations, file)))
  const name = `millrace_template_${hash.digest('hex').slice(0, 16)}`
  const draft = `${name}_draft`
  const admin = connect(server, { max: 1, applicationName: 'millrace-tests' })
  try {
    await admin.sql`select pg_advisory_lock(${7_301_926})`
    const found = await admin.sql`select 1 from pg_database where datname = ${name}`
    if (found.length > 0) return name
    await admin.sql.unsafe(`drop database if exists ${draft} with (force)`)
    await admin.sql.unsafe(`create database ${draft}`)
    const database = connect(urlOf(server, draft), { max: 1, applicationName: 'millrace-tests' })
    try {
      await migrate(database)
    } finally {
      await database.close()
    }
    await admin.sql.unsafe(`alter database ${draft} rename to ${name}`)
    return name
  } finally {
    await admin.close()
  }
}
