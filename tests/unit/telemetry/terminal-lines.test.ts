import { expect, test } from 'vitest'
import { createLog, type Log } from '#lib/telemetry/log.ts'
import { terminalLine } from '#lib/telemetry/terminal-lines.ts'

/** The lines that a log writes, without their time of day. */
function linesOf(write: (log: Log) => void, { isColoured = false } = {}): string[] {
  const lines: string[] = []
  const people = { isColoured }
  write(createLog({ level: 'debug', part: 'runner', people }, { write: (line) => void lines.push(line) }))
  return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, ''))
}

const time = '2026-11-20T10:00:00.000Z'

test('a finished run is a sentence with its status, its duration and its error', () => {
  const run = { event: 'run.finished', runId: 'r1', dag: 'etl', attempt: 1 } as const
  expect(
    linesOf((log) => {
      log.info({ ...run, status: 'success', durationMs: 340 }, 'the run ended: success')
      log.info(
        { ...run, status: 'failed', durationMs: 63_000, error: 'step a failed: exit status 7' },
        'failed',
      )
    }),
  ).toEqual([
    'etl r1: success after 340 ms\n',
    'etl r1: failed after 1 m 03 s: step a failed: exit status 7\n',
  ])
})

test('a call is shown with its method, path, status and duration', () => {
  const call = {
    method: 'POST',
    path: '/api/v2/dags',
    status: 201,
    ms: 12.3,
    requestId: 'x',
    route: 'POST /dags',
  }
  expect(linesOf((log) => log.info({ event: 'request.answered', ...call }, 'answered'))).toEqual([
    'POST /api/v2/dags: 201 after 12 ms\n',
  ])
})

test('warnings and errors show their level, the first line of the error, and other fields', () => {
  const error = new Error('no route to host\nsecond line')
  expect(
    linesOf((log) => {
      log.warn({ event: 'runner.cut-off', error }, 'the database did not answer')
      log.error({ event: 'tick.failed', count: 2 }, 'the tick failed')
    }),
  ).toEqual(['WARN the database did not answer: no route to host\n', 'ERROR the tick failed  count=2\n'])
})

test('a runner that waits for steps says how to kill them', () => {
  const [waiting, idle] = linesOf((log) => {
    log.info(
      { event: 'runner.draining', owner: 'o', runs: 2, steps: 2 },
      'waiting for 2 running steps, 10 s at most',
    )
    log.info({ event: 'runner.draining', owner: 'o', runs: 0, steps: 0 }, 'the runner releases its runs')
  })
  expect(waiting).toBe('waiting for 2 running steps, 10 s at most; Ctrl-C again kills them\n')
  expect(idle).toBe('the runner releases its runs\n')
})

test('an event is one line in local time without control characters, coloured only on request', () => {
  const json = JSON.stringify({
    level: 'info',
    time,
    event: 'dag.loaded',
    dag: 'a\u001B[2Jb\nc',
    message: 'm',
  })
  const at = new Date(time)
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => String(n).padStart(2, '0'))
  expect(terminalLine(json, { isColoured: false })).toBe(`${clock.join(':')}  a [2Jb c: m`)
  const coloured = terminalLine(json, { isColoured: true })
  expect(JSON.stringify(coloured)).toBe(`"\\u001b[2m${clock.join(':')}\\u001b[22m  a [2Jb c: m"`)
})
