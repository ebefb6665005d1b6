import { expect, test } from 'vitest'
import { createLog } from '#lib/telemetry/log.ts'
import { exportTraces } from '#lib/telemetry/traces.ts'
import { otlpCollector, type ReceivedSpan } from '#tests/support/otlp-collector.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'

const { runner, start, finished, log } = await runnerKit()
const collector = await otlpCollector()
const silent = createLog({ level: 'silent', part: 'runner' })
const traces = exportTraces(
  { endpoint: `${collector.endpoint}/`, headers: { 'x-key': 'k' }, serviceName: 'jobs' },
  silent,
)
const { stop } = runner({ traces })

const spansOf = (traceId: string, count: number): Promise<ReceivedSpan[]> =>
  until(`${count} spans of ${traceId}`, () => {
    const found = collector.spans.filter((span) => span.traceId === traceId)
    return found.length >= count && found
  })

const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const lines = [
  'params: NAME=hunter2',
  'steps:',
  '  - name: first',
  '    command: echo $TRACEPARENT',
  '  - name: unsteady',
  '    command: echo $TRACEPARENT; exit 3',
  '    retryPolicy: { limit: 1, intervalSec: 0 }',
  '    continueOn: { failure: true }',
  '  - name: below',
  '    run: child',
  '---',
  'name: child',
  'steps:',
  '  - name: leaf',
  '    command: echo $TRACEPARENT',
]

test('a run is a trace with a span for the run, each attempt of a step, and its child runs', async () => {
  collector.refuse(1)
  const runKey = await start(lines, { traceparent: given })
  expect(await finished(runKey)).toMatchObject({ status: 'partial_success' })
  const spans = await spansOf('0af7651916cd43dd8448eb211c80319c', 7)
  const find = (name: string): ReceivedSpan[] => spans.filter((span) => span.name === name)
  const [run] = find('demo')
  expect(run).toMatchObject({
    parentSpanId: 'b7ad6b7169203331',
    service: 'jobs',
    status: { code: 1 },
    attributes: { 'millrace.dag': 'demo', 'millrace.attempt': '1', 'millrace.status': 'partial_success' },
  })
  const [first] = find('first')
  expect(first).toMatchObject({ parentSpanId: run?.spanId, attributes: { 'millrace.executor': 'shell' } })
  expect(await log(runKey, 'first')).toBe(`00-${first?.traceId}-${first?.spanId}-01\n`)
  const tries = find('unsteady')
  expect(tries.map(({ status, attributes }) => [status, attributes['millrace.retry']])).toEqual([
    [{ code: 2, message: 'exit status 3' }, '0'],
    [{ code: 2, message: 'exit status 3' }, '1'],
  ])
  const printed = (await log(runKey, 'unsteady')).trim().split('\n')
  expect(printed).toEqual(tries.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`))
  const [below, child, leaf] = [find('below')[0], find('child')[0], find('leaf')[0]]
  expect(below).toMatchObject({ parentSpanId: run?.spanId, attributes: { 'millrace.executor': 'dag' } })
  expect(child).toMatchObject({ parentSpanId: below?.spanId })
  expect(leaf).toMatchObject({ parentSpanId: child?.spanId })
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(7)
  expect(JSON.stringify(spans)).not.toContain('hunter2')
  expect(new Set(collector.headers)).toEqual(new Set(['k']))
})

test('a new trace derives its id from the run, and an unsampled one is passed on but not exported', async () => {
  const own = await start(['steps:', '  - echo $TRACEPARENT'], { runId: 'the-run' })
  const unwanted = await start(['steps:', '  - name: step', '    command: echo $TRACEPARENT'], {
    traceparent: given.replace(/01$/, '00').replace('0af7', 'ffff'),
  })
  await finished(own)
  await finished(unwanted)
  // printf 'millrace\ndemo\nthe-run' | sha256sum
  const derived = 'd14224b767996befd133935572c34253'
  const [mine] = await until('the span of the run', () => {
    const found = collector.spans.filter(({ attributes }) => attributes['millrace.run_id'] === 'the-run')
    return found.length === 2 && found
  })
  expect(mine?.traceId).toBe(derived)
  expect(await log(unwanted, 'step')).toMatch(/^00-ffff651916cd43dd8448eb211c80319c-\w{16}-00\n$/)
  expect(collector.spans.filter(({ traceId }) => traceId.startsWith('ffff'))).toEqual([])
})

test('a run that cannot start is a trace with the reason', async () => {
  const runKey = await start(
    ['secrets:', '  - { name: KEY, provider: env, key: NOT_THERE }', 'steps:', '  - echo'],
    { runId: 'the-refused' },
  )
  expect(await finished(runKey)).toMatchObject({ status: 'failed' })
  const span = await until('its span', () =>
    collector.spans.find(({ attributes }) => attributes['millrace.run_id'] === 'the-refused'),
  )
  expect(span).toMatchObject({
    name: 'demo',
    status: { code: 2, message: 'secret KEY: no variable NOT_THERE on this runner' },
  })
})

test('pending spans are sent on shutdown, and without a collector steps get no TRACEPARENT', async () => {
  await finished(await start(['steps:', '  - echo'], { runId: 'the-last' }))
  await stop()
  expect(
    collector.spans.filter(({ attributes }) => attributes['millrace.run_id'] === 'the-last'),
  ).toHaveLength(2)
  runner()
  const runKey = await start(['steps:', '  - name: step', '    command: echo ${TRACEPARENT:-none}'])
  await finished(runKey)
  expect(await log(runKey, 'step')).toBe('none\n')
})
