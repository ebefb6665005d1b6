import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keepSyncing } from '#lib/dag-folder/keep-syncing.ts'
import { connect } from '#lib/db/client.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { testDatabase } from '#tests/support/database.ts'
import { startProxy } from '#tests/support/tcp-proxy.ts'
import { until } from '#tests/support/until.ts'
import { checkingResults } from '#tests/support/sql-results.ts'

const { db, url } = await testDatabase()
const proxy = await startProxy(url)
const away = checkingResults(
  connect(proxy.through(url), { max: 1, applicationName: 'millrace-test', statementMs: 1_000 }),
)
const folder = mkdtempSync(join(tmpdir(), 'millrace-dags-'))
const lines: string[] = []
const log = createLog({ level: 'info', part: 'tick' }, { write: (line) => void lines.push(line) })

afterAll(async () => {
  await away.close()
  await proxy.close()
  rmSync(folder, { recursive: true })
})

test('a file that changes while the database is unreachable is stored later, and this is logged once', async () => {
  let passes = 0
  const sync = await keepSyncing({ db: away, log, defaults: { zone: 'UTC' } }, folder, () => passes++)
  await proxy.way('refusing')
  writeFileSync(join(folder, 'late.yaml'), 'steps:\n  - echo late\n')
  await until('two passes have failed', () => passes >= 2)
  expect(lines.filter((line) => line.includes('"event":"dag.unread"'))).toHaveLength(1)
  await proxy.way('open')
  await until('the file is stored', async () => (await db.sql`select 1 from millrace.dag`).length === 1)
  await sync.stop()
  expect(await db.sql`select 1 from millrace.dag_folder where held_until > clock_timestamp()`).toEqual([])
})

test('a missing folder refuses to start', async () => {
  const parts = { db, log, defaults: { zone: 'UTC' } }
  await expect(keepSyncing(parts, join(folder, 'absent'))).rejects.toThrow('ENOENT')
})
