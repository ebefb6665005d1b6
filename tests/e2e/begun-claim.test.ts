import { expect, test } from 'vitest'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()

test('a step that starts with the claim runs, and its run ends as usual', async () => {
  const runner = kit.runner()
  const spec = 'steps:\n  - {name: a, command: "echo one"}\n  - {name: b, command: "echo two"}\n'
  await kit.finished(await kit.start(spec))
  const runKey = await kit.start(spec)
  expect(await kit.finished(runKey)).toMatchObject({
    status: 'success',
    steps: { a: 'success', b: 'success' },
  })
  expect(await kit.log(runKey, 'a')).toBe('one\n')
  expect(await kit.log(runKey, '', 'run')).toMatch(/claimed by runner .*\n.*a.*\n/)
  await runner.stop()
})

test('a step that starts with the claim is not started if the run cannot be prepared', async () => {
  const runner = kit.runner()
  const spec = 'workingDir: /proc/none\nsteps:\n  - {name: a, command: "true"}\n'
  for (let time = 1; time <= 2; time++) {
    const run = await kit.finished(await kit.start(spec))
    expect(run.status).toBe('failed')
    expect(run.error).toContain('/proc/none')
    expect(run.steps['a'] ?? 'not_started').toBe('not_started')
  }
  await runner.stop()
})
