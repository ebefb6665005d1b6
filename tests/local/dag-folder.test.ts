import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { connect } from '#lib/db/client.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { syncFolder } from '#local/dag-folder.ts'
import { testDatabase } from '#tests/support/database.ts'
import { startProxy } from '#tests/support/tcp-proxy.ts'
import { until } from '#tests/support/until.ts'

const { db, url } = await testDatabase()
const proxy = await startProxy(url)
const away = connect(proxy.through(url), { max: 1, applicationName: 'millrace-test', statementMs: 1_000 })
const folder = mkdtempSync(join(tmpdir(), 'millrace-dags-'))
const lines: string[] = []
const log = createLog({ level: 'info', part: 'server' }, { write: (line) => void lines.push(line) })
const sync = await syncFolder({ db: away, log, defaults: { zone: 'UTC' } }, folder)

afterAll(async () => {
  await sync.stop()
  await away.close()
  await proxy.close()
})

test('a file that changes while the database is away is stored when it is back', async () => {
  await proxy.way('refusing')
  writeFileSync(join(folder, 'late.yaml'), 'steps:\n  - echo late\n')
  await until('the failure is told', () => lines.some((line) => line.includes('dag.rejected')))
  await proxy.way('open')
  await until('the file is stored', async () => (await db.sql`select 1 from millrace.dag`).length === 1)
  expect(lines.filter((line) => line.includes('dag.loaded'))).toHaveLength(1)
})
