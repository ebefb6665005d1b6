import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '#tests/support/command-line.ts'
import { testDatabase } from '#tests/support/database.ts'
import { shellBlocks } from '#tests/tidy/doc-rules.ts'
import { projectFile } from '#tests/tidy/tree.ts'

const top = new URL('../..', import.meta.url).pathname
/** What the pages tell a reader to type, against a service on a port of its own. */
const pages = [['README.md', projectFile('README.md')]] as const
const blocks = shellBlocks(pages).map(({ text }) => text)
const blockWith = (words: string): string => blocks.find((text) => text.includes(words)) ?? ''

const { url: databaseUrl } = await testDatabase()
const settings = { DATABASE_URL: databaseUrl, MILLRACE_PORT: '0', MILLRACE_LOG_LEVEL: 'silent' }

async function serveUp(more: Record<string, string> = {}): Promise<string> {
  const service = await serve(['up'], { ...settings, ...more })
  onTestFinished(async () => {
    service.process.kill('SIGTERM')
    await service.code
  })
  return service.url
}

async function type(block: string, url: string): Promise<string> {
  expect(block).not.toBe('')
  const env = { ...process.env, DATABASE_URL: databaseUrl, MILLRACE_URL: url }
  const text = block.replaceAll('http://127.0.0.1:8080', url)
  const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', text], { cwd: top, env })
  expect(stderr).toBe('')
  return stdout
}

test('the commands in README.md work', { timeout: 120_000 }, async () => {
  const url = await serveUp()
  const first = await type(blockWith('RUN=$('), url)
  expect(first).toContain('event: end')
  expect(first).toContain('"statusLabel":"finished"')
  expect(first).toContain('"content":"Hello world, it is')
  expect(await type(blockWith('/log/stream'), url)).toContain('Hello world, it is')
  expect(await type(blockWith('"name": "first"'), url)).toContain('"rootDAGRunName":"first"')
  const commands = await type(blockWith('millrace start hello --wait'), url)
  expect(commands).toMatch(/^greet \| Hello Ada, it is/m)
})
