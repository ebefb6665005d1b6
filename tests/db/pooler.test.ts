import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { until } from '../support/until.ts'

const program = '/usr/sbin/pgbouncer'

async function pooler(): Promise<string> {
  const server = new URL(inject('databaseServer'))
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  const folder = mkdtempSync(join(tmpdir(), 'millrace-pooler-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const backend = `host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}`
  const settings = `listen_addr=127.0.0.1\nlisten_port=${port}\nunix_socket_dir=\nauth_type=any\n`
  const shared = 'pool_mode=transaction\ndefault_pool_size=2\nignore_startup_parameters=extra_float_digits\n'
  writeFileSync(file, `[databases]\n* = ${backend}\n[pgbouncer]\n${settings}${shared}`)
  const child = spawn(program, [file], {
    stdio: 'pipe',
    ...(process.getuid?.() === 0 ? { uid: 65_534 } : {}),
  })
  let said = ''
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()))
  onTestFinished(async () => {
    child.kill()
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  })
  await until('the pooler is up', () => said.includes('process up'))
  return `postgres://${server.username}@127.0.0.1:${port}${server.pathname}`
}

test.skipIf(!existsSync(program))('a transaction pooler gives each statement its own answer', async () => {
  const db = connect(await pooler(), { max: 8, applicationName: 'millrace-tests', prepare: false })
  onTestFinished(() => db.close())
  const values = Array.from({ length: 200 }, (_, index) => index)
  const answers = await Promise.all(
    values.map(async (value) => (await orm(db).execute(sql`select ${value}::int as value`))[0]?.['value']),
  )
  expect(answers).toEqual(values)
})
