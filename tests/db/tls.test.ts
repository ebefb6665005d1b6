import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { connect, type Database } from '#lib/db/client.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { startPostgres } from '#local/postgres/start-postgres.ts'
import { certificate } from '#tests/support/certificate.ts'
import { startProxy } from '#tests/support/tcp-proxy.ts'
import { until } from '#tests/support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-tls-'))
chmodSync(folder, 0o711)
const postgres = await startPostgres({ folder: join(folder, 'server'), durable: true })
/** Valid for the name `localhost` alone, not for an address. */
const [root, stranger] = [certificate(folder, 'server'), certificate(folder, 'stranger')]
await secure()

afterAll(async () => {
  await postgres.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Makes the server use the certificate and refuse TCP connections without TLS. */
async function secure(): Promise<void> {
  const admin = connect(postgres.url, { max: 1, applicationName: 'admin' })
  const [row] = await admin.sql<{ data: string; rules: string }[]>`
    select current_setting('data_directory') as data, current_setting('hba_file') as rules`
  const { data = '', rules = '' } = row ?? {}
  const { uid, gid } = statSync(data)
  for (const [from, to] of [
    ['crt', 'server.crt'],
    ['key', 'server.key'],
  ] as const) {
    copyFileSync(join(folder, `server.${from}`), join(data, to))
    chownSync(join(data, to), uid, gid)
    chmodSync(join(data, to), 0o600)
  }
  execFileSync('sed', ['-i', 's/^host /hostssl /', rules])
  chownSync(rules, uid, gid)
  await admin.sql.unsafe('alter system set ssl = on')
  await admin.sql`select pg_reload_conf()`
  await until('the server asks for TLS', async () => (await answer('sslmode=disable')) !== 'plain', {
    withinMs: 10_000,
  })
  await admin.close()
}

function urlOf(query: string, host = 'localhost', from = postgres.url): string {
  const url = new URL(from)
  url.hostname = host
  return `${url.href}?${query}`
}

function open(url: string): Database {
  return connect(url, { max: 1, applicationName: 'tls', statementMs: 5_000 })
}

/** Whether a statement is sent in plain text or secured; otherwise the error code. */
async function answer(query: string, host?: string): Promise<string> {
  const db = open(urlOf(query, host))
  try {
    return await security(db)
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  } finally {
    await db.close()
  }
}

async function security(db: Database): Promise<'secured' | 'plain'> {
  const [row] = await db.sql<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
  return row?.ssl === true ? 'secured' : 'plain'
}

test.each([
  ['require', 'localhost', 'secured'],
  ['prefer', 'localhost', 'secured'],
  ['disable', 'localhost', '28000'],
  ['verify-full', 'localhost', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [`verify-full&sslrootcert=${root}`, 'localhost', 'secured'],
  [`verify-full&sslrootcert=${stranger}`, 'localhost', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [`verify-full&sslrootcert=${root}`, '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [`verify-ca&sslrootcert=${root}`, '127.0.0.1', 'secured'],
  [`verify-ca&sslrootcert=${stranger}`, '127.0.0.1', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [`require&sslrootcert=${stranger}`, 'localhost', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
])('sslmode=%s to %s gives %s', async (mode, host, outcome) => {
  expect(await answer(`sslmode=${mode}`, host)).toBe(outcome)
})

test('a root certificate without a mode requires full verification', async () => {
  expect(await answer(`sslrootcert=${root}`)).toBe('secured')
  expect(await answer(`sslrootcert=${root}`, '127.0.0.1')).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
})

test('listening, reconnected and transaction connections are all secured', async () => {
  const proxy = await startProxy(postgres.url)
  const url = urlOf(`sslmode=verify-full&sslrootcert=${root}`, 'localhost', proxy.through(postgres.url))
  const db = open(url)
  let hints = 0
  const listening = db.listen(['millrace_work'], () => (hints += 1))
  onTestFinished(async () => {
    await listening.stop()
    await db.close()
    await proxy.close()
  })
  for (let round = 0; round < 2; round++) {
    await until('the client listens', () => hints > 0)
    expect(await security(db)).toBe('secured')
    hints = 0
    proxy.cut('reset')
    await until(
      'the database answers again',
      async () => (await security(db).catch(() => undefined)) === 'secured',
    )
  }
  const rows = await inTransaction(url, 'read only', (ask) =>
    ask<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()'),
  )
  expect(rows).toMatchObject([{ ssl: true }])
})

test('an unknown mode and an unreadable file are named in the error', () => {
  expect(() => open(urlOf('sslmode=verify-fully'))).toThrow('is "verify-fully"')
  expect(() => open(urlOf('sslrootcert=/nowhere/root.crt'))).toThrow('"/nowhere/root.crt", cannot be read')
})
