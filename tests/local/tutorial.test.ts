import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '#tests/support/command-line.ts'
import { testDatabase } from '#tests/support/database.ts'
import { projectFile } from '#tests/tidy/tree.ts'

const top = new URL('../..', import.meta.url).pathname
const mark = '== end of a block =='

interface Block {
  readonly typed: string
  /** Lines that the output must contain. */
  readonly seen: readonly string[]
}

const blocksOf = (page: string): Block[] =>
  projectFile(page)
    .split(/^```sh\n/m)
    .slice(1)
    .map((part) => ({
      typed: part.slice(0, part.indexOf('```')),
      seen: (/^```text\n([^]*?)^```$/m.exec(part)?.[1] ?? '').split('\n').filter((line) => line !== ''),
    }))

/** A line of the page, in which `…` stands for any text; columns may be wider. */
const pattern = (line: string): RegExp =>
  new RegExp(
    line
      .trim()
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.*')
      .replaceAll(/ +/g, ' +'),
    'm',
  )

const pages = ['docs/tutorial.md', 'docs/migrating.md']

test.each(pages)(
  'a reader who types every line of %s sees what it says',
  { timeout: 180_000 },
  async (page) => {
    const blocks = blocksOf(page)
    const { url: databaseUrl } = await testDatabase()
    const service = await serve(['up'], {
      DATABASE_URL: databaseUrl,
      MILLRACE_PORT: '0',
      MILLRACE_LOG_LEVEL: 'silent',
    })
    onTestFinished(async () => {
      service.process.kill('SIGTERM')
      await service.code
    })
    const command = 'millrace() { npm run -s millrace -- "$@"; }\n'
    const script = command + blocks.map(({ typed }) => `${typed}\necho '${mark}'\n`).join('')
    const { stdout } = await promisify(execFile)('sh', ['-euc', script], {
      cwd: top,
      env: { ...process.env, MILLRACE_URL: service.url },
    })
    const outputs = stdout.split(mark)
    expect(outputs).toHaveLength(blocks.length + 1)
    for (const [index, { seen }] of blocks.entries()) {
      for (const line of seen) expect(outputs[index]).toMatch(pattern(line))
    }
  },
)
