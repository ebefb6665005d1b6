import { expect, test } from 'vitest'
import { createLog } from '#lib/telemetry/log.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
const lines: string[] = []
kit.runner({
  log: createLog({ level: 'info', part: 'runner' }, { write: (line) => void lines.push(line) }),
})

const endings = (): Record<string, unknown>[] =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === 'run.finished')

test('the event run.finished has the status, the error and the duration in whole milliseconds', async () => {
  await kit.finished(await kit.start(['steps: [{name: a, command: exit 7}]']))
  await until('the line of the end', () => endings().length > 0)
  const [ending] = endings()
  expect(ending).toMatchObject({ status: 'failed', error: expect.stringContaining('7') as string })
  expect(ending?.['durationMs']).toSatisfy(Number.isInteger)
})
