import { expect, test } from 'vitest'
import type { StepRow } from '#web/model/step-rows.ts'
import { spanOf, spansOf, timelineRows, waits, withoutSucceeded } from '#web/model/timeline-rows.ts'

const row = (name: string, other: Partial<StepRow> = {}): StepRow => ({
  name,
  state: 'success',
  dependsOn: [],
  startedAtMs: 1_000,
  tookMs: 500,
  tries: 1,
  triedBefore: [],
  exitCode: undefined,
  error: '',
  hasLog: true,
  children: [],
  ...other,
})
const children = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ dagRunId: `id${index}`, name: 'kid', status: 4 }))

test('a few child runs are shown, many are folded, and either can be toggled', () => {
  const steps = [row('few', { children: children(2) }), row('many', { children: children(500) })]
  const keys = (toggled: string[]): number => timelineRows(steps, new Set(toggled)).length
  expect(timelineRows(steps, new Set()).map(({ isOpen }) => isOpen)).toEqual([
    true,
    undefined,
    undefined,
    false,
  ])
  expect([keys(['few']), keys(['many'])]).toEqual([2, 504])
})

test('a step waits from the end of its last dependency until it starts', () => {
  const steps = [
    row('a'),
    row('b', { tookMs: 900 }),
    row('c', { dependsOn: ['a', 'b'], startedAtMs: 2_400 }),
    row('d', { dependsOn: ['c'], startedAtMs: 2_900 }),
    row('e', { dependsOn: ['a'], startedAtMs: undefined, tookMs: undefined }),
  ]
  expect([...waits(steps)]).toEqual([['c', { startMs: 1_900, endMs: 2_400 }]])
})

test('earlier tries extend the span of a step and end its wait', () => {
  const steps = [
    row('a'),
    row('b', { dependsOn: ['a'], startedAtMs: 5_000, triedBefore: [{ startMs: 1_700, endMs: 1_900 }] }),
  ]
  expect(waits(steps).get('b')).toEqual({ startMs: 1_500, endMs: 1_700 })
  expect(spansOf(steps.slice(1), 0)).toEqual([
    { startMs: 1_700, endMs: 1_900 },
    { startMs: 5_000, endMs: 5_500 },
  ])
})

test('the span of a running step grows until now, that of an ended one does not', () => {
  expect(spanOf(row('a', { state: 'running', tookMs: undefined }), 4_000)).toEqual({
    startMs: 1_000,
    endMs: 4_000,
  })
  expect(spanOf(row('a', { state: 'cancelled', tookMs: undefined }), 4_000)).toEqual({
    startMs: 1_000,
    endMs: 1_000,
  })
  expect(spanOf(row('a', { startedAtMs: undefined }), 4_000)).toBeUndefined()
})

test('successful and skipped steps can be hidden', () => {
  const steps = [
    row('a'),
    row('b', { state: 'failed' }),
    row('c', { state: 'skipped' }),
    row('d', { state: 'running' }),
  ]
  expect(withoutSucceeded(steps).map(({ name }) => name)).toEqual(['b', 'd'])
})
