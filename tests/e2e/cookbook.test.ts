import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dockerHost, image, reachEngine } from '#tests/executors/docker/engine.ts'
import { hasSshd, startSshd } from '#tests/executors/ssh/sshd.ts'
import { projectFile } from '#tests/tidy/tree.ts'
import { runnerKit } from './runner-kit.ts'

/** The recipes of the page, by the heading above them. */
const recipes = new Map(
  projectFile('docs/cookbook.md')
    .split('\n## ')
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), /```yaml\n([^]*?)```/.exec(part)?.[1]] as const)
    .filter((recipe): recipe is [string, string] => recipe[1] !== undefined),
)

const engine = await reachEngine()
const kit = await runnerKit()
kit.runner({ executors: { httpAllow: [], jqPath: undefined, docker: { host: dockerHost } } })

const recipe = (name: string): string => recipes.get(name) ?? expect.fail(`there is no recipe "${name}"`)

async function run(spec: string): Promise<string> {
  const key = await kit.start(spec)
  const { status, errors } = await kit.finished(key, 30_000)
  expect({ errors, status }).toMatchObject({ status: 'success' })
  return key
}

const tested = [
  'Nightly backup',
  'ETL with fan-out',
  'Deploy with choices',
  'Approval by hand',
  'Poll a service',
  'A step that may fail',
  'Only when something changed',
  'Steps in a container',
  'A fleet over ssh',
]

test('every recipe is tested', () => {
  expect([...recipes.keys()]).toEqual(tested)
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
  const approval = recipe('Approval by hand').split('---\n')[1] ?? ''
  await run(approval.replace('RUN: none', `RUN: ${runId}`))
  expect(await kit.finished(key, 30_000)).toMatchObject({ status: 'success' })
  expect(await kit.log(key, 'go')).toBe('going\n')
  expect(existsSync(`/tmp/approved-${runId}`)).toBe(false)
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
