import { expect, test } from 'vitest'
import { openStepOutput } from '#lib/runner/steps/step-output.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

test('a file that cannot be opened fails the step before it runs', () => {
  const log = { write: () => undefined, flush: () => Promise.resolve(), close: () => Promise.resolve() }
  const folder = temporaryFolder('runner-test')
  const plan = {
    stdoutLog: log,
    stderrLog: log,
    stdoutFile: { path: folder, bounds: [] },
    stderrFile: undefined,
    capture: undefined,
    patterns: [],
  }
  expect(() => openStepOutput(plan)).toThrow(`stdout: ${folder} is a folder`)
})

test('output that arrives byte by byte is captured in little memory', async () => {
  const log = { write: () => undefined, flush: () => Promise.resolve(), close: () => Promise.resolve() }
  const files = { stdoutFile: undefined, stderrFile: undefined }
  const output = openStepOutput({
    stdoutLog: log,
    stderrLog: log,
    ...files,
    capture: { bytesMax: 1_000_000, reserve: () => true },
    patterns: [],
  })
  const before = process.memoryUsage().heapUsed
  const byte = Buffer.from('x')
  for (let count = 0; count < 1_000_000; count++) void output.stdout(byte)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000)
  const { captured, captureFault } = await output.end()
  expect([captured?.length, captureFault]).toEqual([1_000_000, undefined])
})
