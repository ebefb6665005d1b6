import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '#lib/db/client.ts'
import { documents, millrace } from '#tests/support/command-line.ts'
import { testApi } from '#tests/support/api.ts'
import { urlOf } from '#tests/support/database-url.ts'
import { hasPooler } from '#tests/support/pgbouncer.ts'
import { smallDisk } from '#tests/support/small-disk.ts'
import { startPooler } from '#tests/support/pooler.ts'

const api = await testApi()
const { db, url } = api.database
const folder = mkdtempSync(join(tmpdir(), 'millrace-doctor-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warn' | 'fail'
  readonly text: string
  readonly advice?: string
}

/** The findings of the doctor, by the name of the check. */
async function examine(settings: Readonly<Record<string, string>> = {}) {
  const environment = { DATABASE_URL: url, MILLRACE_DATA_DIR: folder, ...settings }
  const { code, stdout, stderr } = await millrace(['doctor', '--json'], environment)
  expect(stderr).toBe('')
  return { code, found: new Map(documents<Finding>(stdout).map((finding) => [finding.check, finding])) }
}

// A tick and a runner are alive at the start of each test.
beforeEach(async () => {
  await db.sql`delete from millrace.ticker`
  await db.sql`delete from millrace.worker`
  await db.sql`insert into millrace.ticker (id, host) values ('t', 'here')`
  await db.sql`insert into millrace.worker (id, slots) values ('w', 1)`
})

describe('a healthy deployment', () => {
  test('passes every check, one line each', async () => {
    const { code, found } = await examine()
    expect(code).toBe(0)
    expect([...found.keys()]).toEqual([
      'settings',
      'container engine',
      'steps',
      'shell',
      'spawn',
      'database',
      'clock',
      'pooler',
      'LISTEN',
      'migrations',
      'shared settings',
      'DAG folder',
      'log store',
      'tick',
      'runners',
      'invariants',
    ])
    found.delete('container engine')
    if (process.getuid?.() === 0) found.delete('steps')
    expect(new Set([...found.values()].map(({ level }) => level))).toEqual(new Set(['ok']))
    expect(found.get('migrations')?.text).toMatch(/^\d+ present, none pending$/)
  })

  test('gets advice in the text output where something is missing', async () => {
    await db.sql`delete from millrace.ticker`
    const { stdout } = await millrace(['doctor'], { DATABASE_URL: url, MILLRACE_DATA_DIR: folder })
    expect(stdout).toMatch(/^ok {4}database {10}PostgreSQL \d+\S* answers in \d+ ms$/m)
    expect(stdout).toMatch(/^warn {2}tick {14}no tick has run yet → .*millrace tick --watch/m)
  })
})

describe('the doctor finds', () => {
  test('invalid and unknown settings', async () => {
    const wrong = await examine({ MILLRACE_PORT: 'x' })
    expect([wrong.code, [...wrong.found.keys()]]).toEqual([1, ['settings']])
    expect(wrong.found.get('settings')?.text).toContain('MILLRACE_PORT="x"')
    expect((await examine({ MILLRACE_PROT: '1' })).found.get('settings')).toMatchObject({
      level: 'warn',
      text: expect.stringContaining('MILLRACE_PROT') as string,
    })
  })

  test('a shared setting that differs from the value in force', async () => {
    await db.sql`insert into millrace.setting (name, value, applied_by) values ('MILLRACE_TZ', 'UTC', 'tick on a (7)')`
    onTestFinished(async () => void (await db.sql`delete from millrace.setting`))
    const { found } = await examine({ MILLRACE_TZ: 'Asia/Tokyo' })
    expect(found.get('shared settings')).toMatchObject({
      level: 'warn',
      text: 'MILLRACE_TZ is Asia/Tokyo here, but UTC is in force, applied by tick on a (7)',
    })
    expect((await examine()).found.get('shared settings')?.level).toBe('ok')
  })

  test('a missing shell for steps', async () => {
    const { code, found } = await examine({ MILLRACE_SHELL: 'no-such-shell' })
    expect([code, found.get('shell')]).toMatchObject([1, { level: 'fail' }])
    expect(found.get('shell')?.text).toBe(
      'MILLRACE_SHELL=no-such-shell: no folder of PATH has such a program',
    )
    expect(found.get('spawn')?.text).toMatch(
      /^posix_spawn$|^fork, which is slower; posix_spawn is not used: ./,
    )
  })

  test('an unreachable database and a wrong password, and prints neither password', async () => {
    const away = await examine({ DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/a' })
    expect(away.code).toBe(1)
    expect([...away.found.keys()].at(-1)).toBe('database')
    expect(away.found.get('database')).toMatchObject({ level: 'fail' })
    const wrong = new URL(url)
    wrong.password = 'not-the-password'
    const refused = await examine({ DATABASE_URL: wrong.href })
    expect(refused.found.get('database')?.level).toBe('fail')
    expect(JSON.stringify([...away.found, ...refused.found])).not.toMatch(/secret|not-the-password/)
  })

  test('an embedded PostgreSQL that is not running, and does not start it', async () => {
    const { code, found } = await examine({ DATABASE_URL: '' })
    expect([code, found.get('database')]).toEqual([
      1,
      expect.objectContaining({ level: 'fail', advice: expect.stringContaining('millrace up') as string }),
    ])
    expect(existsSync(join(folder, 'postgres'))).toBe(false)
  })

  test('pending, changed and newer migrations', { timeout: 60_000 }, async () => {
    const name = `millrace_doctor_${process.pid}`
    await db.sql.unsafe(`create database ${name}`)
    const bare = connect(urlOf(inject('databaseServer'), name), { max: 1, applicationName: 'millrace-test' })
    onTestFinished(async () => {
      await bare.close()
      await db.sql.unsafe(`drop database ${name} with (force)`)
    })
    const settings = { DATABASE_URL: urlOf(inject('databaseServer'), name) }
    const empty = await examine(settings)
    expect([empty.code, [...empty.found.keys()].at(-1)]).toEqual([1, 'migrations'])
    expect(empty.found.get('migrations')).toMatchObject({
      text: expect.stringMatching(
        /^0 present, \d+ pending: 0001_definitions.sql, .*, \d+ functions$/,
      ) as string,
      advice: 'run millrace migrate',
    })
    expect(await millrace(['migrate'], settings)).toMatchObject({ code: 0 })
    expect((await examine(settings)).found.get('migrations')?.level).toBe('ok')
    await bare.sql`update millrace.migration set hash = 'x' where name like '0002%'`
    expect((await examine(settings)).found.get('migrations')?.text).toMatch(/^changed .*: 0002_/)
    await bare.sql`insert into millrace.migration (name, hash) values ('9999_later.sql', 'x')`
    expect((await examine(settings)).found.get('migrations')).toMatchObject({
      level: 'fail',
      text: expect.stringContaining('9999_later.sql') as string,
    })
  })

  test('a read-only database', async () => {
    const readOnly = new URL(url)
    readOnly.searchParams.set('default_transaction_read_only', 'on')
    expect((await examine({ DATABASE_URL: readOnly.href })).found.get('database')).toMatchObject({
      level: 'fail',
      text: expect.stringContaining('refuses changes') as string,
    })
  })

  test('an unreachable direct URL', async () => {
    const { code, found } = await examine({ MILLRACE_DATABASE_DIRECT_URL: 'postgres://a:b@127.0.0.1:1/a' })
    expect([code, found.get('LISTEN')]).toEqual([
      1,
      expect.objectContaining({
        level: 'fail',
        advice: expect.stringContaining('MILLRACE_DATABASE_DIRECT_URL') as string,
      }),
    ])
  })

  test('a tick that has stopped', async () => {
    await db.sql`update millrace.ticker set heartbeat_at = now() - interval '10 minutes'`
    const { code, found } = await examine()
    expect([code, found.get('tick')]).toEqual([
      1,
      expect.objectContaining({
        level: 'fail',
        text: expect.stringMatching(/^the last was 60\d s ago$/) as string,
      }),
    ])
  })

  test('missing runners while runs wait', async () => {
    await db.sql`delete from millrace.worker`
    await api.createDag('waits')
    await api.start('waits', { dagRunId: 'w' })
    await db.sql`update millrace.dag_run set ready_at = now() - interval '2 minutes'`
    const { code, found } = await examine()
    expect([code, found.get('runners')]).toEqual([
      1,
      expect.objectContaining({ level: 'fail', advice: 'start millrace runner' }),
    ])
    expect(found.get('runners')?.text).toMatch(/^0 alive, 1 runs wait for one, for 12\d s$/)
    await api.finish('w', 'success')
    expect((await examine()).found.get('runners')).toMatchObject({
      level: 'warn',
      text: '0 alive, no run waits for one',
    })
  })

  test('a broken invariant', async () => {
    await api.createDag('odd')
    await api.start('odd', { dagRunId: 'o' })
    await db.sql`update millrace.dag_run set ready_at = null where run_id = 'o'`
    const { code, found } = await examine()
    await db.sql`update millrace.dag_run set ready_at = now() where run_id = 'o'`
    await api.finish('o', 'success')
    expect([code, found.get('invariants')]).toEqual([
      1,
      expect.objectContaining({
        level: 'fail',
        text: expect.stringMatching(/^1 broken: a run that goes on/) as string,
      }),
    ])
  })

  test('a log store that accepts no output', async () => {
    const closed = join(folder, 'a file')
    writeFileSync(closed, '')
    expect((await examine({ MILLRACE_LOG_STORE: `file:${closed}` })).found.get('log store')).toMatchObject({
      level: 'fail',
      advice: expect.stringContaining('MILLRACE_LOG_STORE') as string,
    })
    const open = join(folder, 'logs')
    expect((await examine({ MILLRACE_LOG_STORE: `file:${open}` })).found.get('log store')).toMatchObject({
      level: 'ok',
    })
    expect(existsSync(open)).toBe(true)
  })

  test('a disk with less space than one step may print', async () => {
    const disk = smallDisk(4)
    if (disk === undefined) return
    onTestFinished(() => disk.remove())
    const store = { MILLRACE_LOG_STORE: `file:${disk.path}` }
    expect((await examine(store)).found.get('log store')).toMatchObject({
      level: 'warn',
      advice: 'make room, or set MILLRACE_LOG_MAX_MB (1024) lower',
    })
    const lower = await examine({ ...store, MILLRACE_LOG_MAX_MB: '2' })
    expect(lower.found.get('log store')).toMatchObject({ level: 'ok' })
  })

  test('a bucket that does not answer', async () => {
    const { found } = await examine({
      MILLRACE_LOG_STORE: 's3://logs/?endpoint=http://127.0.0.1:1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'hunter2',
    })
    expect(found.get('log store')).toMatchObject({
      level: 'fail',
      text: 's3://logs/ accepts no output: the store of logs cannot be reached: PUT had no answer',
    })
  })

  test('whether the container engine answers', async () => {
    const engine = createServer((_request, response) => response.end('{"Version":"99.1"}')).listen(
      0,
      '127.0.0.1',
    )
    await once(engine, 'listening')
    onTestFinished(() => void engine.close())
    const { port } = engine.address() as { port: number }
    const address = `tcp://127.0.0.1:${port}`
    expect((await examine({ DOCKER_HOST: address })).found.get('container engine')).toMatchObject({
      level: 'ok',
      text: `version 99.1 at ${address}`,
    })
    const none = await examine({ DOCKER_HOST: 'tcp://127.0.0.1:1' })
    expect([none.code, none.found.get('container engine')?.level]).toEqual([0, 'warn'])
  })
})

describe.skipIf(!hasPooler)('behind a pooler that shares connections', () => {
  test('MILLRACE_DATABASE_POOLED is required, and LISTEN needs a direct URL', async () => {
    const pooled = await startPooler(url)
    const declared = { DATABASE_URL: pooled, MILLRACE_DATABASE_POOLED: 'true' }
    const [undeclared, polling, direct, elsewhere] = await Promise.all([
      examine({ DATABASE_URL: pooled }),
      examine(declared),
      examine({ ...declared, MILLRACE_DATABASE_DIRECT_URL: url }),
      examine({ ...declared, MILLRACE_DATABASE_DIRECT_URL: inject('databaseServer') }),
    ])
    expect([undeclared.code, undeclared.found.get('pooler')]).toEqual([
      1,
      expect.objectContaining({
        level: 'fail',
        advice: expect.stringContaining('MILLRACE_DATABASE_POOLED=true') as string,
      }),
    ])
    expect(undeclared.found.get('LISTEN')?.level).toBe('fail')
    expect([polling.found.get('pooler')?.level, polling.found.get('LISTEN')?.level]).toEqual(['ok', 'warn'])
    expect([direct.code, direct.found.get('LISTEN')?.level]).toEqual([0, 'ok'])
    expect(elsewhere.found.get('LISTEN')).toMatchObject({ level: 'fail' })
  }, 60_000)

  test('MILLRACE_DATABASE_POOLED without a pooler is a warning', async () => {
    const { code, found } = await examine({ MILLRACE_DATABASE_POOLED: 'true' })
    expect([code, found.get('pooler')?.level]).toEqual([0, 'warn'])
  })
})
