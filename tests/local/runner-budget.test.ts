import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { buildBundles, startBundle } from '#tests/support/built.ts'

const api = await testApi()
const { dist, empty } = buildBundles('runner')
const folder = mkdtempSync(join(tmpdir(), 'millrace-budget-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A runner with a budget of one second, which stands for a cloud function that may run for a minute. */
function shortLife(): Promise<number | null> {
  const settings = {
    DATABASE_URL: api.database.url,
    MILLRACE_DATA_DIR: folder,
    MILLRACE_LOG_LEVEL: 'silent',
    MILLRACE_RUNNER_BUDGET_S: '1',
    MILLRACE_RUNNER_GRACE_S: '5',
  }
  return startBundle(join(dist, 'runner/index.mjs'), settings, { cwd: empty }).exit
}

test('several short-lived runners finish a long run, and each step runs exactly once', async () => {
  const steps = Array.from(
    { length: 12 },
    (_, n) => `  - {name: s${n}, command: "sleep 0.25; echo ${n} >> done"}\n`,
  )
  await api.createDag('long', `type: chain\nworkingDir: ${folder}\nsteps:\n${steps.join('')}`)
  const run = await api.start('long')
  const codes: (number | null)[] = []
  let status = 0
  while (codes.length < 20 && status < 2) {
    codes.push(await shortLife())
    const { body } = await api.get<{ dagRun: { status: number } }>(`/dag-runs/long/${run}`)
    status = body.dagRun.status
  }
  expect(status).toBe(4)
  expect(new Set(codes)).toEqual(new Set([0]))
  expect(codes.length).toBeGreaterThan(2)
  expect(readFileSync(join(folder, 'done'), 'utf8').trim().split('\n')).toEqual(
    steps.map((_, n) => String(n)),
  )
}, 60_000)
