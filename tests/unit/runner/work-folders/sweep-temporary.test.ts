import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { makeStepFolder } from '#lib/executors/shell/step-folder.ts'
import { sweepTemporaryFolders } from '#lib/runner/work-folders/sweep-temporary.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const top = temporaryFolder('sweep-temporary')
afterEach(() => void vi.unstubAllEnvs())

test('of runners that are dead, folders are removed; everything else stays', async () => {
  vi.stubEnv('TMPDIR', top)
  const dead = `${hostname()}-${spawnSync('true').pid}-0123abcd`
  const gone = [makeStepFolder('step', dead), makeStepFolder('run', dead)]
  for (const folder of gone) writeFileSync(join(folder, 'script'), 'secret')
  // A runner of an earlier container had the number of this process.
  const reborn = makeStepFolder('step', `${hostname()}-${process.pid}-0123abcd`)
  utimesSync(reborn, 1, 1)
  makeStepFolder('step', `${hostname()}-${process.pid}-0123abcd`)
  makeStepFolder('run', `${hostname()}-${process.ppid}-0123abcd`)
  makeStepFolder('step', `other-host-1234567-0123abcd`)
  mkdirSync(join(top, 'step-of-somebody'))
  symlinkSync('/', join(top, `step-${dead}-linked`))
  const before = readdirSync(top)
  await sweepTemporaryFolders()
  const left = readdirSync(top)
  expect(before.filter((name) => !left.includes(name)).map((name) => join(top, name))).toEqual(
    [...gone, reborn].toSorted(),
  )
})
