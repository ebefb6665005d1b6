import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { readRemoteNodes } from '#lib/config/remote-nodes.ts'
import { connect } from '#lib/db/client.ts'
import { begin, millrace, serve } from '#tests/support/command-line.ts'
import { testDatabase } from '#tests/support/database.ts'
import { urlOf } from '#tests/support/database-url.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'
import { shellBlocks } from '#tests/tidy/doc-rules.ts'
import { projectFile } from '#tests/tidy/tree.ts'

/** Runs what the shorter pages of the docs tell a reader to type. */
const top = new URL('../..', import.meta.url).pathname
const folder = temporaryFolder('millrace-docs-pages')
const { url: databaseUrl } = await testDatabase()

const blocksOf = (page: string): string[] => shellBlocks([[page, projectFile(page)]]).map(({ text }) => text)

async function type(text: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const command = 'millrace() { "$NODE" "$TOP/local/bundled.mjs" millrace "$@"; }\n'
  const env = {
    ...process.env,
    NODE: process.execPath,
    TOP: top,
    MILLRACE_DATA_DIR: '.millrace',
    ...environment,
  }
  const { stdout } = await promisify(execFile)('sh', ['-euc', `${command}${text}`], { cwd: folder, env })
  return stdout
}

async function serveUp(more: Readonly<Record<string, string>> = {}): Promise<string> {
  const service = await serve(['up'], {
    DATABASE_URL: databaseUrl,
    MILLRACE_PORT: '0',
    MILLRACE_LOG_LEVEL: 'silent',
    MILLRACE_DATA_DIR: join(folder, '.millrace'),
    MILLRACE_LOG_STORE: `file:${join(folder, '.millrace/logs')}`,
    ...more,
  })
  onTestFinished(async () => {
    service.process.kill('SIGTERM')
    await service.code
  })
  return service.url
}

test('the commands in docs/cli.md and docs/troubleshooting.md work', { timeout: 120_000 }, async () => {
  const url = await serveUp()
  for (const command of ['exit 0', 'exit 127']) {
    const spec = `schedule: "0 4 * * *"\nsteps: [{name: a, command: ${command}}]\n`
    writeFileSync(join(folder, 'broken.yaml'), spec)
    const lines = 'millrace import --replace broken.yaml; millrace start broken --wait || true'
    await type(lines, { MILLRACE_URL: url })
  }
  const [first = ''] = blocksOf('docs/cli.md')
  expect(await type(first, { MILLRACE_URL: url })).toMatch(/^greet \| Hello Ada, it is/m)
  const blocks = blocksOf('docs/troubleshooting.md').map((text) =>
    text
      // The run fails again, which is its exit code.
      .replace('--wait', '--wait || true')
      .replaceAll(/\bRUN\b/g, 'latest')
      .replaceAll(/\bDAG\b/g, 'broken'),
  )
  const seen = await type(blocks.join(''), { MILLRACE_URL: url })
  expect(seen).toContain('✗ a | failed after')
  expect(seen).toContain('exit status 127')
  expect(seen).toMatch(/^broken +\S+ +failed/m)
})

test('the two machines in docs/installing.md form one service', { timeout: 120_000 }, async () => {
  const labels = 'MILLRACE_RUNNER_LABELS=region=eu MILLRACE_RUNNER_SLOTS=4 millrace runner'
  const [first = '', second = ''] = blocksOf('docs/installing.md')
  expect([first, second]).toEqual([
    expect.stringMatching(/\nmillrace up\n$/),
    expect.stringContaining(labels),
  ])
  const url = await serveUp()
  const runner = begin(['runner'], {
    DATABASE_URL: databaseUrl,
    MILLRACE_DATA_DIR: join(folder, 'elsewhere'),
    MILLRACE_RUNNER_LABELS: 'region=eu',
    MILLRACE_RUNNER_SLOTS: '4',
    MILLRACE_LOG_STORE: `file:${join(folder, '.millrace/logs')}`,
  })
  onTestFinished(async () => {
    runner.process.kill('SIGTERM')
    await runner.code
  })
  writeFileSync(
    join(folder, 'there.yaml'),
    'workerSelector: {region: eu}\nsteps: [{name: a, command: echo eu}]\n',
  )
  const lines = 'millrace import there.yaml; millrace start there --wait; millrace runners'
  expect(await type(lines, { MILLRACE_URL: url })).toMatch(/there \S+ finished[^]* of 4 .*region=eu/)
})

test('the commands in docs/users.md create working users, roles and keys', { timeout: 120_000 }, async () => {
  const PASSWORD = 'quiet-otter-4711'
  const url = await serveUp({ MILLRACE_AUTH_BASIC_USERNAME: 'ann', MILLRACE_AUTH_BASIC_PASSWORD: PASSWORD })
  const text = blocksOf('docs/users.md').join('').replaceAll('http://127.0.0.1:8080', url)
  const seen = await type(text, { PASSWORD, MILLRACE_URL: url, DATABASE_URL: databaseUrl })
  expect(seen).toMatch(/^bob +operator/m)
  expect(seen).toMatch(/viewer +prometheus/)
  expect(seen).toContain('"username":"eve"')
  expect(seen).toMatch(/updateUser/)
  const key = seen.match(/mr_[\w-]{20,}/g)?.at(-1)
  expect(await millrace(['ps'], { MILLRACE_URL: url, MILLRACE_API_KEY: key })).toMatchObject({ code: 0 })
})

test('the backup and restore in infra/backup.md work, including logs', { timeout: 120_000 }, async () => {
  const name = `millrace_docs_${randomBytes(8).toString('hex')}`
  const admin = connect(inject('databaseServer'), { max: 1, applicationName: 'millrace-tests' })
  await admin.sql.unsafe(`create database ${name}`)
  onTestFinished(async () => {
    await admin.sql.unsafe(`drop database ${name} with (force)`)
    await admin.close()
  })
  const url = await serveUp()
  await type('millrace start hello --wait', { MILLRACE_URL: url })
  const alone = blocksOf('infra/backup.md').filter((text) => !/docker|kubectl/.test(text))
  const [backup = '', copy = '', restore = ''] = alone
  expect(await type(backup + copy, { DATABASE_URL: databaseUrl })).toContain('contains')
  await type('rm -r .millrace/logs', {})
  const elsewhere = urlOf(inject('databaseServer'), name)
  expect(await type(restore, { DATABASE_URL: elsewhere })).toMatch(/\d+ runs are restored/)
  expect(existsSync(join(folder, '.millrace/logs'))).toBe(true)
})

const operations = [...projectFile('docs/operations.md').matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
  ([, text = '']) => text,
)

test('the scrape job in docs/operations.md finds the metrics and is the one that the alerts name', async () => {
  const { scrape_configs: jobs } = parse(operations[0] ?? '') as {
    scrape_configs: { job_name: string; metrics_path: string }[]
  }
  const [job] = jobs
  expect(projectFile('infra/prometheus/alerts.yaml')).toContain(`up{job="${job?.job_name}"}`)
  const answer = await fetch(`${await serveUp()}${job?.metrics_path}`)
  expect(await answer.text()).toContain('millrace_info{')
})

test('the file of remote nodes in docs/operations.md is valid', () => {
  const file = join(folder, 'nodes.yaml')
  writeFileSync(file, operations[1] ?? '')
  expect(readRemoteNodes(file)).toMatchObject([{ name: 'berlin', baseUrl: 'https://berlin.example/api/v2' }])
})

test('the program in docs/client.md starts a run', { timeout: 120_000 }, async () => {
  const url = await serveUp()
  const [, text = ''] = /^```ts\n([^]*?)^```$/m.exec(projectFile('docs/client.md')) ?? []
  const program = text.replace('http://127.0.0.1:8080', url).replace(", authorization: 'Bearer …'", '')
  const source = `import { createClient } from '${top}lib/client/client.ts'\n${program}`
  writeFileSync(join(folder, 'program.ts'), source)
  expect(await type('"$NODE" program.ts', {})).toMatch(/^[0-9a-f-]{36}\n$/)
})
