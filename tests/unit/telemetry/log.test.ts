import { expect, test } from 'vitest'
import { events } from '#lib/telemetry/events.ts'
import { createLog } from '#lib/telemetry/log.ts'

function linesOf(
  level: 'debug' | 'info' | 'silent',
  write: (log: ReturnType<typeof createLog>) => void,
): unknown[] {
  const lines: unknown[] = []
  write(createLog({ level, part: 'tick' }, { write: (line) => void lines.push(JSON.parse(line)) }))
  return lines
}

test('a line is one JSON object with time, level as a word, part, event and message', () => {
  const [line] = linesOf('info', (log) => {
    log.info({ event: 'schedule.fired', runId: 'r1' }, 'a run was made')
  })
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    part: 'tick',
    pid: process.pid,
    event: 'schedule.fired',
    runId: 'r1',
    message: 'a run was made',
  })
})

test('an error is written with its stack and its cause', () => {
  const error = new Error('outer', { cause: new Error('inner') })
  const [line] = linesOf('info', (log) => {
    log.error({ event: 'tick.failed', error }, 'failed')
  })
  expect(JSON.stringify(line)).toMatch(/outer.*inner/)
})

test('lines below the level are not written', () => {
  const write = (log: ReturnType<typeof createLog>): void => {
    log.debug({ event: 'queue.promoted' }, 'some')
  }
  expect(linesOf('info', write)).toEqual([])
  expect(linesOf('silent', write)).toEqual([])
  expect(linesOf('debug', write)).toHaveLength(1)
})

test('every event is named noun.past-verb', () => {
  for (const name of Object.keys(events)) expect(name).toMatch(/^[a-z]+\.[a-z]+(-[a-z]+)*$/)
})
