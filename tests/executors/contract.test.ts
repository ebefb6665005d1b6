import { afterAll, describe, expect, test } from 'vitest'
import type { Executor, StopReason } from '#lib/executors/executor.ts'
import { executorFor, type LocalExecutorType } from '#lib/executors/registry.ts'
import { until } from '#tests/support/until.ts'
import { stepContext } from './step-context.ts'
import { subjects, type Subject } from './subjects.ts'

const served: { type: LocalExecutorType; subject: Subject; executor: Executor }[] = []
for (const type of Object.keys(subjects) as LocalExecutorType[]) {
  const subject = await subjects[type]()
  if (subject !== undefined) served.push({ type, subject, executor: await executorFor(type) })
}
afterAll(() => Promise.all(served.map(async ({ subject }) => subject.close?.())))

const good = { exitCode: 0, error: '' }

/** Every byte value four times, in scrambled order. */
const everyByte = Buffer.from(Array.from({ length: 1_024 }, (_, at) => (at * 167) % 256))

const wildValues = [
  '$(touch /tmp/millrace-injected) `id` ${PATH} $PATH',
  `'"\\ "'; exit 9 #`,
  'smørrebrød 🥐 \u202eabc',
  '" | halt_error | "\\(1 + 1)',
  '-n --help * ? [a-z] ~ && || ; & | < >',
]

describe.each(served)('$type', ({ subject, executor }) => {
  const { leftovers } = subject
  const nothingIsLeft = () => until('nothing is left', async () => (await leftovers()).length === 0)

  const { prints, floods } = subject
  const testOf = (ability: unknown) => (ability === undefined ? () => undefined : test)

  testOf(prints)('output arrives byte for byte', async () => {
    const pieces: Uint8Array[] = []
    const { context } = stepContext({
      ...prints?.(everyByte),
      stdout: (bytes) => void pieces.push(Buffer.from(bytes)),
    })
    expect(await executor.run(context)).toEqual(good)
    expect(Buffer.concat(pieces).equals(everyByte)).toBe(true)
  })

  test.each(wildValues)('the value %j arrives unchanged', async (value) => {
    const { context, stdout } = stepContext(subject.echoes(value))
    expect(await executor.run(context)).toEqual(good)
    expect(subject.received?.() ?? stdout()).toBe(`${value}\n`)
  })

  test('a failure has an exit code and a reason, without our stack traces', async () => {
    const { exitCode, error } = await executor.run(stepContext(subject.fails).context)
    expect(exitCode).toBeGreaterThan(0)
    expect(error).not.toBe('')
    expect(error).not.toMatch(/\n\s+at |node:internal|lib\/executors/)
  })

  test.each<StopReason>(['stopped', 'timed_out', 'lease_lost'])(
    'a hanging step ends when it is %s, and leaves nothing behind',
    async (reason) => {
      const { context, controller } = stepContext({ ...subject.hangs, cleanUpMs: 2_000 })
      const running = executor.run(context)
      await until('it hangs', subject.isHanging)
      controller.abort(reason)
      const { exitCode, error } = await running
      expect(exitCode).toBeGreaterThan(0)
      expect(error).not.toBe('')
      await nothingIsLeft()
    },
  )

  test('a step that is stopped before it begins does nothing', async () => {
    const { context, controller, stdout } = stepContext(subject.echoes('never'))
    controller.abort('stopped')
    expect((await executor.run(context)).exitCode).toBeGreaterThan(0)
    expect(stdout()).not.toContain('never\n')
    await nothingIsLeft()
  })

  test('a step that is stopped right after its start ends and leaves nothing behind', async () => {
    const { context, controller } = stepContext({ ...subject.hangs, cleanUpMs: 500 })
    const running = executor.run(context)
    controller.abort('stopped')
    expect((await running).exitCode).toBeGreaterThan(0)
    await nothingIsLeft()
  })

  testOf(floods)('large output waits for a slow sink', async () => {
    let bytes = 0
    let asked = 0
    const { context } = stepContext({
      ...floods,
      stdout: async (piece) => {
        asked += 1
        expect(asked).toBe(1)
        bytes += piece.length
        await new Promise(setImmediate)
        asked -= 1
      },
    })
    expect(await executor.run(context)).toEqual(good)
    expect(bytes).toBe(20_000_000)
  })
})

test('no value was executed as a program', async () => {
  const { existsSync } = await import('node:fs')
  expect(existsSync('/tmp/millrace-injected')).toBe(false)
})
