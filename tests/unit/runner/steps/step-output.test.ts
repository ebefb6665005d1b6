import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStepOutput } from '#lib/runner/steps/step-output.ts'

test('a file that cannot be opened fails the step before it runs', () => {
  const log = { write: () => undefined, flush: () => Promise.resolve(), close: () => Promise.resolve() }
  const folder = mkdtempSync(join(tmpdir(), 'runner-test-'))
  const plan = {
    stdoutLog: log,
    stderrLog: log,
    stdoutFile: { path: folder, bounds: [] },
    stderrFile: undefined,
    captureMax: undefined,
    patterns: [],
  }
  expect(() => openStepOutput(plan)).toThrow(`stdout: ${folder} is a folder`)
})
