import { expect, test } from 'vitest'
import { eventsPath, patchRun } from '#web/model/run-events.ts'

const node = (name: string, status: number) => ({ step: { name }, status })
const run = { status: 1, nodes: [node('a', 1), node('b', 0)], onExit: node('onExit', 0), onInit: null }

test('an event of the run changes its fields and keeps the others', () => {
  expect(patchRun(run, { status: 4 }, 'run')).toEqual({ ...run, status: 4 })
  expect(patchRun(run, { status: 4, nodes: [] }, 'state')).toEqual({ ...run, status: 4, nodes: [] })
})

test('an event of a step changes that step or handler, and the others keep their identity', () => {
  const patched = patchRun(run, node('b', 1), 'step')
  expect(patched.nodes[1]).toEqual(node('b', 1))
  expect(patched.nodes[0]).toBe(run.nodes[0])
  expect(patchRun(run, node('onExit', 4), 'step')).toEqual({ ...run, onExit: node('onExit', 4) })
})

test('names are encoded in the path of the events', () => {
  expect(eventsPath({ name: 'a/b', runId: '1' })).toBe('dag-runs/a%2Fb/1/events?form=outline')
  expect(eventsPath({ name: 'a', runId: '1', childId: 'c' })).toBe(
    'dag-runs/a/1/children/c/events?form=outline',
  )
})

test('the end event changes nothing', () => {
  expect(patchRun(run, { status: 4 }, 'end')).toBe(run)
})
