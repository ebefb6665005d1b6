import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { millrace, serve } from '#tests/support/command-line.ts'
import { until } from '#tests/support/until.ts'

test(
  'the demo has finished, failed and queued runs, and leaves nothing behind',
  { timeout: 120_000 },
  async () => {
    const demo = await serve(['demo'], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      MILLRACE_PORT: '1',
    })
    const folder = /data: ([^;]+);/.exec(demo.stderr)?.[1] ?? ''
    const environment = { MILLRACE_URL: demo.url }
    await until('all kinds of runs are there', async () => {
      const { stdout } = await millrace(['history', '--limit', '50'], environment)
      return ['finished', 'failed', 'queued'].every((word) => stdout.includes(word))
    })
    demo.process.kill('SIGTERM')
    expect(await demo.code).toBe(0)
    expect([folder, existsSync(folder)]).toEqual([expect.stringContaining('millrace-demo-'), false])
  },
)
