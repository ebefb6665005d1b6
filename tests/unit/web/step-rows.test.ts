import { expect, test } from 'vitest'
import { byStart, errorHead, stepRows, stepToLookAt, type StepNode } from '#web/model/step-rows.ts'

const node = (name: string, other: Partial<StepNode> = {}): StepNode => ({
  step: { name, depends: [] },
  status: 0,
  ...other,
})
const none = { onInit: null, onExit: null, onSuccess: null, onFailure: null, onCancel: null }

test('handlers that did not run are left out', () => {
  const rows = stepRows({
    ...none,
    nodes: [node('a')],
    onExit: node('onExit', { status: 4 }),
    onFailure: node('onFailure'),
  })
  expect(rows.map(({ name }) => name)).toEqual(['a', 'onExit'])
})

test('rows are sorted by start, with steps that have not started last in file order', () => {
  const at = (second: number): Partial<StepNode> => ({ startedAtMs: second * 1_000 })
  const rows = stepRows({ ...none, nodes: [node('x'), node('b', at(2)), node('a', at(1)), node('y')] })
  expect(byStart(rows).map(({ name }) => name)).toEqual(['a', 'b', 'x', 'y'])
})

test('tries before the last are listed with their spans', () => {
  const [row] = stepRows({
    ...none,
    nodes: [
      node('a', {
        status: 4,
        startedAtMs: 100,
        tries: [
          { startedAtMs: 100, finishedAtMs: 200 },
          { startedAtMs: 900, finishedAtMs: 950 },
        ],
      }),
    ],
  })
  expect(row?.triedBefore).toEqual([{ startMs: 100, endMs: 200 }])
})

test('the step to look at is a failed one, else a running one, else the first', () => {
  const started = { startedAtMs: 1_000 }
  const rows = stepRows({
    ...none,
    nodes: [node('a', { ...started, status: 4 }), node('b', { status: 1 }), node('c', { status: 2 })],
  })
  expect(stepToLookAt(rows)?.name).toBe('c')
  expect(stepToLookAt(rows.slice(0, 2))?.name).toBe('b')
  expect(stepToLookAt(rows.slice(0, 1))?.name).toBe('a')
})

test('an error is shown without log lines and without escape sequences', () => {
  expect(errorHead('exit status 3\nrecent stderr (tail):\nx')).toBe('exit status 3')
  expect(errorHead('\u001b[31mbad\u001b[0m\u0007')).toBe('bad')
})
