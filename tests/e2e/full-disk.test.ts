import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '#functions/api/index.ts'
import { limits } from '#lib/core/limits.ts'
import { connect } from '#lib/db/client.ts'
import { migrate } from '#lib/db/migrate.ts'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import { createPostgresLogStore } from '#lib/logs/postgres-log-store.ts'
import { createLog, type Log } from '#lib/telemetry/log.ts'
import { startPostgres } from '#local/postgres/start-postgres.ts'
import { smallDisk } from '#tests/support/small-disk.ts'
import { until } from '#tests/support/until.ts'
import { readWindow } from '#tests/support/read-window.ts'
import { runnerKit } from './runner-kit.ts'

const disk = smallDisk(4)
const kit = await runnerKit(({ folder }) => createFileLogStore(join(disk?.path ?? folder, 'logs')))
afterAll(() => disk?.remove())

test.runIf(disk !== undefined)(
  'a run whose log disk is full waits, with a warning, and then loses or repeats no line',
  async () => {
    const silent = createLog({ level: 'silent', part: 'runner' })
    const refusals: unknown[] = []
    const log: Log = {
      ...silent,
      info: () => undefined,
      error: () => undefined,
      debug: () => undefined,
      warn: (fields) => refusals.push(fields),
    }
    kit.runner({ log })
    const lines = 300_000
    const ready = join(kit.folder, 'ready')
    mkdirSync(join(disk?.path ?? '', 'logs'))
    const run = await kit.start([
      'steps:',
      `  - {name: talk, command: "while [ ! -e ${ready} ]; do sleep 0.05; done; seq 1 ${lines}"}`,
    ])
    await until('the log of the run is there', async () => (await kit.log(run, '', 'run')) !== '')
    // Room for a part of the next chunk only.
    disk?.fill(65_536)
    mkdirSync(ready)
    await until('the store refused', () => refusals.length > 0)
    expect(refusals[0]).toMatchObject({ event: 'log.refused', error: { code: 'ENOSPC' } })
    const [row] = await kit.db.sql`select status from millrace.dag_run where run_key = ${run}`
    expect(row).toEqual({ status: 'running' })
    disk?.free()
    expect(await kit.finished(run)).toMatchObject({ status: 'success' })
    const text = await kit.log(run, 'talk')
    expect(text.split('\n').slice(0, -1)).toEqual(Array.from({ length: lines }, (_, at) => String(at + 1)))
    // A window near the end relies on the line index.
    const key = { runKey: run, attempt: 1, step: 'talk', stream: 'stdout' } as const
    const window = await readWindow(kit.logs, key, { from: 'start', offset: lines - 10, limit: 2 })
    expect(Buffer.from(window.bytes).toString()).toBe(`${lines - 10}\n${lines - 9}`)
  },
  60_000,
)

test.runIf(disk !== undefined)(
  'a full disk of PostgreSQL gives 503, and the API recovers as soon as there is room',
  async () => {
    const own = smallDisk(160)
    if (own === undefined) return
    const postgres = await startPostgres({ folder: join(own.path, 'database'), durable: true })
    const db = connect(postgres.url, { max: 4, applicationName: 'full', statementMs: limits.statementMsMax })
    try {
      await migrate(db)
      const app = createApp({
        db,
        logs: createPostgresLogStore(db),
        defaults: { zone: 'UTC' },
        auth: { basic: undefined, token: undefined },
        log: createLog({ level: 'silent', part: 'api' }),
        leaseMs: 30_000,
        version: '0.0.0-test',
        buildDate: '2026-11-21',
        checkResponses: true,
      })
      let count = 0
      const create = async (): Promise<number> => {
        const filler = Array.from({ length: 20_000 }, () => Math.random().toString(36)).join(' ')
        const spec = `steps:\n  - echo\n# ${filler}\n`
        const body = JSON.stringify({ name: `dag-${count++}`, spec })
        const headers = { 'content-type': 'application/json' }
        const reply = await app.request('/api/v2/dags', { method: 'POST', headers, body })
        await reply.text()
        return reply.status
      }
      expect(await create()).toBe(201)
      own.fill()
      const answers = new Set<number>()
      await until('it is full', async () => answers.add(await create()).has(503), { everyMs: 1 })
      expect(answers.difference(new Set([201, 503]))).toEqual(new Set())
      own.free()
      await until('it is used again', async () => (await create()) === 201, { withinMs: 5_000 })
    } finally {
      await db.close()
      await postgres.close()
      own.remove()
    }
  },
  60_000,
)
