import { expect, test } from 'vitest'
import { recordLarge, recordProgress, type RecordStep } from '#lib/runs/claim/record-progress.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { readOutputs } from '#lib/runs/read/read-outputs.ts'
import { runnerKit } from './runner-kit.ts'

const { db, runner, start, finished } = await runnerKit()

const printing = (names: readonly string[], character: string): string[] => [
  'type: graph',
  'maxOutputSize: 16777216',
  'steps:',
  ...names.flatMap((name) => [
    `  - name: ${name}`,
    `    command: head -c 16777216 /dev/zero | tr '\\000' '${character}'`,
    `    output: OUT_${name}`,
  ]),
]

test('large outputs are recorded in several statements, and a stale claim is reported as lost', async () => {
  const runKey = await start(['steps:', '  - echo x'])
  const [run] = await claimRuns(db, { owner: 'a', labels: {}, count: 1, leaseMs: 30_000, known: {} })
  const token = run?.token ?? ''
  const step = (index: number, length: number): RecordStep => ({
    name: `s${index}`,
    place: index,
    status: 'success',
    phase: null,
    attempt: 1,
    retryCount: 0,
    doneCount: 1,
    waitUntil: null,
    exitCode: 0,
    error: '',
    tolerated: false,
    outputs: { OUT: 'x'.repeat(length) },
    conditions: [],
    startedAt: 1,
    finishedAt: 2,
  })
  const steps = [1, 900_000, 300_000, 2_000_000, 700_000].map((length, index) => step(index, length))
  expect(await recordLarge(db, { runKey, token: '77', steps })).toEqual({ lost: [runKey] })
  const finish = { status: 'success', error: '' } as const
  expect(await recordLarge(db, { runKey, token, steps, finish })).toEqual({ lost: [] })
  const outputs = await readOutputs(db, runKey)
  expect(steps.map(({ name }) => outputs.get(name)?.['OUT']?.length)).toEqual([
    1, 900_000, 300_000, 2_000_000, 700_000,
  ])
  expect(await recordProgress(db, [{ runKey, token, steps: [] }])).toEqual({ lost: [runKey] })
})

test('outputs that are too large to store fail their steps, and the runner continues', async () => {
  runner()
  const binary = await start(printing(['a'], String.raw`\001`))
  const many = await start(printing(['a', 'b', 'c', 'd', 'e'], 'x'))
  expect((await finished(binary, 60_000)).errors['a']).toMatch(/a control character counts as six$/)
  const { steps, errors } = await finished(many, 60_000)
  expect(Object.values(steps)).toContain('failed')
  expect(Object.values(errors)).toContain(
    'failed to capture output: the outputs of the run exceed 67108864 bytes together',
  )
  expect(await finished(await start(['steps:', '  - echo x']))).toMatchObject({ status: 'success' })
}, 120_000)
