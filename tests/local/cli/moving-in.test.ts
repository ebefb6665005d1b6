import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished, expect, test } from 'vitest'
import { parse } from 'yaml'
import { documents, millrace, serve } from '#tests/support/command-line.ts'
import { testDatabase } from '#tests/support/database.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const files = temporaryFolder('millrace-moving')
const base = 'histRetentionDays: 9\n'
/** How many example DAGs a new service has. */
const examples = 5

function file(name: string, text: string): string {
  const path = join(files, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** Starts a service with its own database; returns a function that calls it. */
async function service(settings: Record<string, string> = {}) {
  const { url: databaseUrl } = await testDatabase()
  const own = { DATABASE_URL: databaseUrl, MILLRACE_PORT: '0', MILLRACE_LOG_LEVEL: 'silent', ...settings }
  const running = await serve(['up'], own)
  onTestFinished(async () => {
    running.process.kill('SIGTERM')
    await running.code
  })
  return (args: readonly string[], input = '', more: Record<string, string> = {}) =>
    millrace([...args], { MILLRACE_URL: running.url, ...more }, input)
}

/** What an import did, except for unchanged DAGs. */
const changed = (stdout: string): object[] =>
  documents<{ kind: string; outcome: string }>(stdout).filter(
    ({ kind, outcome }) => kind !== 'dag' || outcome !== 'unchanged',
  )

const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
  )

test('another service imports an export, and its own export is the same', { timeout: 120_000 }, async () => {
  const settings = { MILLRACE_QUEUES: 'heavy=2', MILLRACE_BASE_CONFIG: file('base.yaml', base) }
  const first = await service(settings)
  const text = 'schedule: 0 3 * * *\nsteps:\n  - name: ü\n    command: echo "$HOME" # kept as written\n'
  await first(['import', file('dags/nightly.yaml', text)])
  await first(['import', file('dags/plain.yaml', 'queue: heavy\nsteps: [echo]\n')])
  await first(['suspend', 'nightly'])
  await first(['users', 'create', 'ann', 'operator'], 'quiet-otter-4711\n')
  await first(['users', 'create', 'bob', 'viewer'], 'quiet-otter-4712\n')
  await first(['users', 'update', 'bob', '--disable'])
  const { stdout: key } = await first(['keys', 'create', 'ci', 'editor'])
  const folder = join(files, 'export')
  const secret = 'a-token-of-sixteen-characters'
  const environment = { ...settings, MILLRACE_AUTH_TOKEN: secret, MILLRACE_TZ: 'Asia/Tokyo' }
  expect(await first(['export', folder], '', environment)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${2 + examples} DAGs, 2 users, 1 keys and 1 queues`),
  })
  const exported = contents(folder)
  const names = ['/base.yaml', '/dags/nightly.yaml', '/dags/plain.yaml', '/millrace.yaml', '/settings.env']
  expect(Object.keys(exported)).toEqual(expect.arrayContaining(names))
  expect(Object.keys(exported)).toHaveLength(names.length + examples)
  expect(exported['/dags/nightly.yaml']).toBe(text)
  expect(exported['/base.yaml']).toBe(base)
  expect(exported['/settings.env']).toContain('# MILLRACE_AUTH_TOKEN=\n')
  expect(exported['/settings.env']).toContain('MILLRACE_TZ=Asia/Tokyo\n')
  for (const hidden of [key.trim(), secret, 'quiet-otter'])
    expect(JSON.stringify(exported)).not.toContain(hidden)

  const second = await service(settings)
  const dry = await second(['import', '--from', 'millrace', folder])
  expect(dry.stdout).toMatch(/dag +nightly +would be created/)
  expect(dry.stdout).toContain('nothing was stored')
  expect((await second(['show', 'nightly'])).code).toBe(1)
  const applied = await second(['import', '--from', 'millrace', folder, '--apply', '--json'])
  expect([applied.code, changed(applied.stdout)]).toEqual([
    0,
    [
      { kind: 'dag', name: 'nightly', outcome: 'created' },
      { kind: 'dag', name: 'plain', outcome: 'created' },
      { kind: 'user', name: 'ann', outcome: 'created', password: expect.stringMatching(/^[\w-]{24}$/) },
      { kind: 'user', name: 'bob', outcome: 'created', password: expect.any(String) },
      { kind: 'key', name: 'ci', outcome: 'missing', note: 'millrace keys create "ci" editor' },
      { kind: 'queue', name: 'heavy', outcome: 'unchanged' },
    ],
  ])
  const again = join(files, 'again')
  await second(['export', again], '', environment)
  const { '/millrace.yaml': manifest = '', ...others } = contents(again)
  const { '/millrace.yaml': before = '', ...rest } = exported
  expect(others).toEqual(rest)
  expect(parse(manifest)).toEqual({ ...(parse(before) as object), keys: [] })
  expect((await second(['import', '--from', 'millrace', folder])).stdout).toMatch(/user +ann +unchanged/)

  await second(['delete', 'plain', '--yes'])
  chmodSync(join(again, 'millrace.yaml'), 0o644)
  await second(['export', again])
  expect(readdirSync(again).filter((name) => name.includes('draft'))).toEqual([])
  expect(statSync(join(again, 'millrace.yaml')).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(again, 'dags'))).not.toContain('plain.yaml')
  expect(await second(['export', join(files, 'dags')])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('contains other files'),
  })
  const users = ['cat', 'anonymous', 'dan'].map(
    (name) => `{username: ${name}, role: viewer, disabled: false}`,
  )
  file(
    'half/millrace.yaml',
    `millrace: 1\nsuspended: []\nqueues: []\nkeys: []\nusers: [${users.join(', ')}]\n`,
  )
  file('half/dags/begun.yaml', 'steps: [echo]\n')
  const half = await second(['import', '--from', 'millrace', join(files, 'half'), '--apply', '--json'])
  expect([half.code, changed(half.stdout)]).toEqual([
    1,
    [
      { kind: 'dag', name: 'begun', outcome: 'created' },
      { kind: 'user', name: 'cat', outcome: 'created', password: expect.any(String) },
      {
        kind: 'user',
        name: 'anonymous',
        outcome: 'faulty',
        note: expect.stringContaining('other callers'),
      },
      { kind: 'user', name: 'dan', outcome: 'created', password: expect.any(String) },
    ],
  ])
  file('odd/millrace.yaml', 'millrace: 1\nusers: [{username: a, role: god, disabled: false}]\n')
  expect((await second(['import', '--from', 'millrace', join(files, 'odd')])).stderr).toMatch(
    /millrace.yaml: \w+/,
  )
})

test('jobs of other programs are reported, and stored only with --apply', { timeout: 120_000 }, async () => {
  const ask = await service()
  const names = async (): Promise<string[]> =>
    documents<{ fileName: string }>((await ask(['status', '--json'])).stdout).map(({ fileName }) => fileName)
  const timer = file('units/sync.timer', '[Timer]\nOnCalendar=hourly\n')
  file('units/sync.service', '[Service]\nExecStart=/bin/true\n')
  file('units/other.service', '[Service]\nExecStart=/bin/true\n')
  file('units/other.timer', '[Timer]\nOnCalendar=2030-01-01\n')
  execFileSync('mkfifo', [join(files, 'units/pipe.service')])
  const folder = await ask(['import', '--from', 'systemd', join(files, 'units')])
  expect(folder.stdout).toMatch(/^note: unit: .*pipe.service is a FIFO: it was left out$/m)
  expect(folder.code).toBe(1)
  expect(folder.stdout).toMatch(/^other .*faulty$/m)
  expect(folder.stdout).toMatch(/^fault: other: OnCalendar=2030-01-01: cron has no years$/m)
  expect(folder.stdout).toMatch(/^nothing was stored/m)
  const one = await ask(['import', '--from', 'systemd', timer, '--apply', '--json'])
  expect([one.code, documents(one.stdout)]).toEqual([
    0,
    [{ dag: 'sync', outcome: 'created', schedule: '0 * * * *', notes: [], warnings: [], suspended: true }],
  ])
  // An interrupted import leaves this text, suspended.
  await ask(['import', file('half-made/later.yaml', '# being imported\nsteps:\n  - command: "true"\n')])
  await ask(['suspend', 'later'])
  const later = JSON.stringify([
    { id: 'c', title: 'later', enabled: 1, plugin: 'shellplug', params: { script: 'id' }, timing: {} },
  ])
  expect((await ask(['import', '--from', 'cronicle', '-', '--apply'], later)).stdout).toMatch(
    /^later .*created, suspended$/m,
  )
  expect((await ask(['show', 'later'])).stdout).toMatch(/^ +run  id$/m)
  const cronicle = JSON.stringify([
    { id: 'a', title: 'On', enabled: 1, plugin: 'shellplug', params: { script: 'id' }, timing: {} },
    { id: 'b', title: 'Off', enabled: 0, plugin: 'shellplug', params: { script: 'id' }, timing: {} },
  ])
  const events = await ask(['import', '--from', 'cronicle', '-', '--apply', '--activate'], cronicle)
  expect(events.stdout).toMatch(/^on +\* \* \* \* \* +created$/m)
  expect(events.stdout).toMatch(/^off +\* \* \* \* \* +created, suspended$/m)
  const workflow = file('jobs/build.yml', 'jobs: {a: {steps: [{run: id}]}}')
  expect((await ask(['import', '--from', 'github-actions', workflow, '--apply'])).stdout).toMatch(
    /^build +created$/m,
  )
  expect(await names()).toEqual(expect.arrayContaining(['build', 'off', 'on', 'sync']))
  for (const [args, why] of [
    [['--from', 'jenkins', files], '--from takes millrace, dagu'],
    [['--from', 'systemd', '-'], 'give a folder'],
    [['--from', 'cronicle', '--crontab', '-'], 'do not go together'],
    [['--apply', files], 'needs --from'],
  ] as const)
    expect(await ask(['import', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(why) })
})
