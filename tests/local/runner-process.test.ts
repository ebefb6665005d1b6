import { afterEach, expect, test } from 'vitest'
import { createLog } from '#lib/telemetry/log.ts'
import { superviseRunner } from '#local/runner-process.ts'
import { until } from '#tests/support/until.ts'

const node = process.execPath
afterEach(() => {
  process.execPath = node
})

test('a runner that cannot start is retried, and stopping does not wait for it', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', part: 'server' }, { write: (line) => void lines.push(line) })
  process.execPath = '/nowhere/node'
  const runner = superviseRunner({}, log, 1_000)
  await until('two attempts have failed', () => lines.length >= 2)
  await runner.stop()
  expect(lines.every((line) => line.includes('runner.ended') && line.includes('ENOENT'))).toBe(true)
})
