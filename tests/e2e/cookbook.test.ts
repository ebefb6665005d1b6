import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSpec } from '#lib/definition/read-spec.ts'
import { dockerHost, image, reachEngine } from '#tests/executors/docker/engine.ts'
import { hasSshd, startSshd } from '#tests/executors/ssh/sshd.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'
import { projectFile } from '#tests/tidy/tree.ts'
import { runnerKit } from './runner-kit.ts'

/** The files of each recipe in docs/cookbook.md, by its heading. */
const recipes = new Map(
  projectFile('docs/cookbook.md')
    .split('\n## ')
    .slice(1)
    .map(
      (part) =>
        [
          part.slice(0, part.indexOf('\n')),
          [...part.matchAll(/```yaml\n([^]*?)```/g)].map(([, file = '']) => file),
        ] as const,
    )
    .filter(([, files]) => files.length > 0),
)

const engine = await reachEngine()
const kit = await runnerKit()
const programs = temporaryFolder('millrace-programs')
kit.runner({
  executors: { httpAllow: [], jqPath: undefined, docker: { host: dockerHost } },
  environment: {
    ...process.env,
    PATH: `${programs}${delimiter}${process.env['PATH']}`,
    SHOP_PGPASSWORD: 'quiet-otter-4711',
  },
})

const recipe = (name: string, file = 0): string =>
  recipes.get(name)?.[file] ?? expect.fail(`there is no file ${file} of a recipe "${name}"`)

async function run(spec: string): Promise<string> {
  const key = await kit.start(spec)
  const { status, errors } = await kit.finished(key, 30_000)
  expect({ errors, status }).toMatchObject({ status: 'success' })
  return key
}

const tested = [
  'Backup of a database',
  'Mail for every DAG',
  'Nightly backup',
  'ETL with fan-out',
  'Deploy with choices',
  'Approval by hand',
  'DAGs from git',
  'Poll a service',
  'A step that may fail',
  'Only when something changed',
  'Steps in a container',
  'A fleet over ssh',
]

test('every recipe is tested', () => {
  expect([...recipes.keys()]).toEqual(tested)
})

/** Puts a fake program in PATH, because a real pg_dump refuses servers newer than itself. */
function program(name: string, script: string): void {
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

test('Backup of a database', async () => {
  program('pg_dump', 'while [ "$1" != --file ]; do shift; done; echo "$PGPASSWORD" > "$2"')
  program('pg_restore', 'cat "$2"')
  const target = join(kit.folder, 'dumps')
  const key = await run(recipe('Backup of a database').replace('/tmp/millrace-dumps', target))
  expect(await kit.log(key, 'verify')).toMatch(/^\*+\n$/)
  const [dump = ''] = readdirSync(target)
  expect(readFileSync(join(target, dump), 'utf8')).toBe('quiet-otter-4711\n')
})

test('Mail for every DAG', () => {
  const login = 'secrets: [{name: SMTP_PASSWORD, provider: env, key: SMTP_PASSWORD}]\n'
  const base = `${recipe('Mail for every DAG')}${login}`
  const { dag, problems, warnings } = readSpec('steps: ["true"]', { fileName: 'any', base })
  expect([problems, warnings]).toEqual([[], []])
  expect(dag).toMatchObject({ smtp: { host: '127.0.0.1' }, mailOn: { failure: true } })
  expect(dag.errorMail?.to).toEqual(['ops@example.com'])
  expect(dag.secrets).toMatchObject([{ name: 'SMTP_PASSWORD' }])
})

test('Nightly backup', async () => {
  const target = join(kit.folder, 'backups')
  const spec = recipe('Nightly backup').replace('/tmp/millrace-backups', target)
  for (let index = 0; index < 8; index++) await run(spec)
  const key = await run(spec)
  expect(await kit.log(key, 'verify')).toContain('./')
  const check = await run(`steps:\n  - name: count\n    command: ls ${target} | wc -l\n`)
  expect((await kit.log(check, 'count')).trim()).toBe('7')
})

test('ETL with fan-out', async () => {
  const key = await run(recipe('ETL with fan-out'))
  expect(await kit.log(key, 'join')).toBe('3 of 3 parts, the first has 5 rows\n')
})

test('Deploy with choices', async () => {
  const key = await run(recipe('Deploy with choices'))
  expect(await kit.log(key, 'check')).toBe('deploying 1.0.0 to staging\n')
})

test('Approval by hand', async () => {
  const runId = randomUUID()
  const key = await kit.start(recipe('Approval by hand'), { runId })
  await kit.printed(key, 'wait for approval', 'waiting')
  await run(recipe('Approval by hand', 1).replace('RUN: none', `RUN: ${runId}`))
  expect(await kit.finished(key, 30_000)).toMatchObject({ status: 'success' })
  expect(await kit.log(key, 'go')).toBe('going\n')
  expect(existsSync(`/tmp/approved-${runId}`)).toBe(false)
})

test('DAGs from git', async () => {
  const [origin, clone] = [join(kit.folder, 'origin'), join(kit.folder, 'clone')]
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args])
  git('init', '--quiet', origin)
  git('-C', origin, 'commit', '--quiet', '--allow-empty', '--message', 'one')
  git('clone', '--quiet', origin, clone)
  writeFileSync(join(origin, 'new.yaml'), 'steps: ["true"]\n')
  git('-C', origin, 'add', '.')
  git('-C', origin, 'commit', '--quiet', '--message', 'two')
  await run(recipe('DAGs from git').replace('/srv/dags', clone))
  expect(existsSync(join(clone, 'new.yaml'))).toBe(true)
})

test('Poll a service', async () => {
  let asked = 0
  const server = createServer((_, answer) => void answer.end(++asked < 3 ? 'busy' : 'done'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const key = await run(recipe('Poll a service').replace(':8081', `:${port}`))
  expect(await kit.log(key, 'go on')).toBe('the job is done\n')
  expect(asked).toBe(3)
})

test('A step that may fail', async () => {
  const key = await run(recipe('A step that may fail'))
  expect(await kit.log(key, 'serve')).toBe('serving\n')
  expect(await kit.log(key, 'onExit')).toMatch(/^cleaned up after \w+\n$/)
})

test('Only when something changed', async () => {
  const [file, seen] = [join(kit.folder, 'watched'), join(kit.folder, 'seen')]
  const spec = recipe('Only when something changed')
    .replace('/etc/hostname', file)
    .replace('/tmp/millrace-seen', seen)
  const publishes = async (text: string): Promise<boolean> => {
    writeFileSync(file, text)
    const key = await kit.start(spec)
    const { steps } = await kit.finished(key, 30_000)
    return steps['publish'] === 'success'
  }
  expect([await publishes('a'), await publishes('a'), await publishes('b')]).toEqual([true, false, true])
})

test.runIf(engine !== undefined)('Steps in a container', async () => {
  const key = await run(recipe('Steps in a container').replace('alpine:3', image))
  expect(await kit.log(key, 'second')).toBe('COLOUR=teal\n')
})

test.runIf(hasSshd)('A fleet over ssh', async () => {
  const sshd = await startSshd()
  onTestFinished(() => sshd.stop())
  const login = JSON.stringify({ ...sshd.login, host: '${MACHINE}', strictHostKey: false })
  const key = await run(recipe('A fleet over ssh').replace(/config: \{.*\}/, `config: ${login}`))
  expect(await kit.log(key, 'sum up')).toBe('2 of 2 machines answered\n')
})
