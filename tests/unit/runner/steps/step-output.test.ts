import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStepOutput } from '#lib/runner/steps/step-output.ts'

test('a file that cannot be opened is told, also when nothing was to be written', async () => {
  const log = { write: () => undefined, flush: () => Promise.resolve(), close: () => Promise.resolve() }
  const folder = mkdtempSync(join(tmpdir(), 'runner-test-'))
  const output = openStepOutput({
    stdoutLog: log,
    stderrLog: log,
    stdoutFile: folder,
    stderrFile: undefined,
    captureMax: undefined,
    patterns: [],
  })
  await expect(output.end()).rejects.toThrow('EISDIR')
})
