import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { readSpec } from '#lib/definition/read-spec.ts'
import { planRun } from '#lib/engine/plan.ts'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import { prepareRun } from '#lib/runner/inputs/prepare-run.ts'
import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

afterEach(() => void vi.unstubAllEnvs())

test('a run whose scratch folder could not be created ends without a fault', async () => {
  // The notes of working folders are written beside it.
  const workDir = join(temporaryFolder('runner-test'), 'work')
  const inputs = { params: [], env: [], workingDir: workDir }
  const run = { runKey: '1', dagName: 'demo', attempt: 1, steps: [], inputs } as unknown as ClaimedRun
  const plan = planRun(readSpec('steps:\n  - echo\n', { fileName: 'demo' }).dag)
  const { facts, close } = await prepareRun(
    run,
    plan,
    {
      owner: 'test',
      logs: createFileLogStore(workDir),
      logBytesMax: 1_000_000,
      environment: {},
      inherited: new Map(),
      dagsDir: undefined,
      workDir,
    },
    { signal: AbortSignal.any([]), cleanUpMs: 0, onProcessGroup: () => undefined },
  )
  vi.stubEnv('TMPDIR', join(workDir, 'nowhere'))
  await expect(facts.scratch()).rejects.toThrow('ENOENT')
  await close()
})
