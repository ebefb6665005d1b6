import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { GenericContainer, Wait, type StartedTestContainer } from 'testcontainers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { dockerHost } from '#tests/executors/docker/engine.ts'
import { testApi } from '#tests/support/api.ts'
import { buildBundles } from '#tests/support/built.ts'
import { spySpec } from '#tests/support/spy.ts'
import { prepareTestcontainers } from '#tests/support/testcontainers.ts'
import { until } from '#tests/support/until.ts'
import { shellBlocks } from '#tests/tidy/doc-rules.ts'
import { projectFile } from '#tests/tidy/tree.ts'

const isServed = await prepareTestcontainers()
const api = await testApi()
const top = new URL('../..', import.meta.url).pathname
const env = { ...process.env, DOCKER_HOST: dockerHost, DOCKER_BUILDKIT: '0' }
const run = promisify(execFile)
const docker = async (...args: string[]): Promise<string> =>
  (await run('docker', args, { env })).stdout.trim()
const image = `millrace-of-test:${process.pid}`
const settings = { DATABASE_URL: api.database.url, MILLRACE_HOST: '127.0.0.1', MILLRACE_PORT: '0' }

function buildImage(): void {
  const { dist } = buildBundles('api', 'tick', 'runner', 'migrate', 'main', 'millrace')
  const shell = { cwd: top, env, encoding: 'utf8' } as const
  const base = execFileSync('sh', ['infra/ci/image-base.sh', process.execPath], shell).trim()
  execFileSync(
    'docker',
    ['build', '-q', '--build-arg', `BASE=${base}`, '-f', 'infra/Containerfile', '-t', image, dist],
    {
      ...shell,
      stdio: 'pipe',
    },
  )
}

if (isServed) {
  buildImage()
  afterAll(() => docker('rmi', '-f', image))
}

/** A part of the service on the network of this machine, where the PostgreSQL of the tests listens. */
const part = (...args: string[]): GenericContainer =>
  new GenericContainer(image)
    .withNetworkMode('host')
    .withEnvironment(settings)
    .withCommand(args)
    .withWaitStrategy(Wait.forLogMessage(/listens on|started/))

/** Starts a container, which is removed at the end of the test. */
async function begin(container: GenericContainer): Promise<StartedTestContainer> {
  const started = await container.start()
  // Its own stop does nothing for a container that the test has stopped.
  onTestFinished(async () => void (await docker('rm', '--force', '--volumes', started.getId())))
  return started
}

async function logs(id: string): Promise<string> {
  const { stdout, stderr } = await run('docker', ['logs', id], { env })
  return stdout + stderr
}

test.skipIf(!isServed)('the API in the image answers, does not run as root, and exits cleanly', async () => {
  const api = await begin(part('api'))
  const url = /listens on (http:\S+)/.exec(await logs(api.getId()))?.[1]
  const health = await fetch(`${url}/api/v2/health`)
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'healthy' }])
  const { output } = await api.exec(['grep', '-E', '^(Uid|CapEff)', '/proc/1/status'])
  expect(output).toBe('Uid:\t10001\t10001\t10001\t10001\nCapEff:\t0000000000000000\n')
  expect((await api.exec(['cat', '/proc/1/comm'])).output).toBe('tini\n')
  await api.stop({ remove: false, timeout: 10_000 })
  expect(await docker('inspect', '-f', '{{.State.ExitCode}}', api.getId())).toBe('0')
})

/** The lines of infra/README.md that start the image, adapted to the image and the database of the tests. */
function documentedLines(name: string): readonly string[] {
  const blocks = shellBlocks([['infra/README.md', projectFile('infra/README.md')]])
  const block = blocks.find(({ text }) => text.startsWith('docker build')) ?? { text: '' }
  const [, ...lines] = block.text
    .replace('postgres://user:password@host:5432/millrace', api.database.url)
    .replace('docker run --rm', 'docker run --rm --network host')
    .replace('-p 8080:8080', '--network host -e MILLRACE_HOST=127.0.0.1 -e MILLRACE_PORT=0')
    .replace('--name millrace', `--name ${name}`)
    .replaceAll(/ millrace (migrate|all)$/gm, ` ${image} $1`)
    .trim()
    .split('\n')
  return lines
}

test.skipIf(!isServed)('the commands in infra/README.md start the image', async () => {
  const name = `millrace-of-page-${process.pid}`
  onTestFinished(async () => void (await docker('rm', '-f', name)))
  const [values = '', migrate = '', all = '', ask = ''] = documentedLines(name)
  const shell = async (...lines: string[]): Promise<string> =>
    (await run('sh', ['-euc', lines.join('\n')], { env })).stdout
  const output = await shell(values, migrate, all, 'echo "$TOKEN"')
  expect(output).toMatch(/^the database is up to date\n/)
  const token = output.trim().split('\n').at(-1)
  const url = await until('it listens', async () => /listens on (http:\S+)/.exec(await logs(name))?.[1])
  const answer = await shell(`TOKEN=${token}`, ask.replace('http://127.0.0.1:8080', url))
  expect(answer).toContain('"fileName":"hello"')
})

test.skipIf(!isServed)('the image migrates the database and runs a runner', async () => {
  await begin(part('migrate').withWaitStrategy(Wait.forOneShotStartup()))
  await begin(part('runner'))
  await api.createDag('boxed', 'steps:\n  - name: who\n    command: id -u\n    output: WHO\n')
  expect(await outputOf('boxed', 'WHO')).toBe('10002')
})

/** Runs a DAG. @returns one output of the ended run */
async function outputOf(dag: string, name: string): Promise<string | undefined> {
  const path = `/dag-runs/${dag}/${await api.start(dag)}`
  await until('the run has ended', async () => {
    const { body } = await api.get<{ dagRun: { finishedAt: string } }>(path)
    return body.dagRun.finishedAt !== ''
  })
  const { body } = await api.get<{ outputs: Record<string, string> }>(`${path}/outputs`)
  return body.outputs[name.toLowerCase()]
}

const rights = ['CHOWN', 'KILL', 'SETGID', 'SETUID'] as const

test.skipIf(!isServed).each<[string, string, (container: GenericContainer) => GenericContainer]>([
  ['', 'as it is', (container) => container],
  [', nor as its user', 'as a user', (container) => container.withUser('10001:10001')],
  [
    '',
    'with the rights it needs',
    (container) => container.withDroppedCapabilities('ALL').withAddedCapabilities(...rights),
  ],
])('a step in the image finds no secret of the service%s (%s)', async (also, _how, adapt) => {
  const runner = await begin(adapt(part('runner')))
  const { password } = new URL(api.database.url)
  const dag = `spy-${runner.getId().slice(0, 8)}`
  await api.createDag(dag, spySpec(password, '/var/lib/millrace'))
  expect(await outputOf(dag, 'FOUND')).toBe('done')
  const said = await logs(runner.getId())
  expect(said.includes('steps run as the user of the service')).toBe(also !== '')
  await runner.stop({ remove: false, timeout: 10_000 })
})

test.skipIf(!isServed)('the image has the command line in its PATH', async () => {
  const tick = await begin(part('tick', '--watch'))
  expect((await tick.exec(['millrace', 'doctor'])).output).toMatch(/^ok +migrations /m)
  const given = ['--network', 'host', '-e', `DATABASE_URL=${api.database.url}`]
  const { stderr } = await run('docker', ['run', '--rm', ...given, image, 'backup', '-'], {
    env,
    encoding: 'buffer',
  })
  expect(stderr.toString()).toMatch(/^the backup contains \d+ DAGs/)
})

test.skipIf(!isServed)(
  'the image does not start without a credential, nor with an unknown command',
  async () => {
    const args = ['run', '--rm', '-e', `DATABASE_URL=${api.database.url}`, image, 'api']
    await expect(docker(...args)).rejects.toThrow('anybody may use the API')
    await expect(docker('run', '--rm', image, join('..', 'etc'))).rejects.toThrow('is not a command')
  },
)
