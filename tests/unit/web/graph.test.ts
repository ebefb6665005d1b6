import { expect, test } from 'vitest'
import { criticalPath, heldByFailure } from '#web/model/critical-path.ts'
import { foldSteps } from '#web/model/fold-steps.ts'
import { layersOf } from '#web/model/graph-layers.ts'
import { crossings, orderLayers } from '#web/model/graph-order.ts'
import {
  boxAt,
  boxBeside,
  boxesInView,
  fitted,
  nearScale,
  opening,
  revealed,
  zoomed,
} from '#web/model/graph-view.ts'
import { boxHeight, boxWidth, layOut } from '#web/model/layered-layout.ts'

const step = (name: string, ...dependsOn: string[]) => ({ name, dependsOn })
const fan = (count: number) => [
  step('first'),
  ...Array.from({ length: count }, (_, index) => step(`work${index}`, 'first')),
  step('last', ...Array.from({ length: count }, (_, index) => `work${index}`)),
]
/** The corners of the boxes as pairs. */
const cornersOf = (count: number, edges: [number, number][]): [number, number][] => {
  const { corners } = layOut(count, edges)
  return Array.from({ length: count }, (_, box) => [corners[box * 2] ?? NaN, corners[box * 2 + 1] ?? NaN])
}

test('eight or more equal steps are folded into one box, and can be unfolded', () => {
  expect(foldSteps(fan(7), new Set()).boxes).toHaveLength(9)
  const folded = foldSteps(fan(5_000), new Set())
  expect(folded.boxes.map(({ members }) => members.length)).toEqual([1, 5_000, 1])
  expect(folded.edges).toEqual([
    [0, 1],
    [1, 2],
  ])
  expect(foldSteps(fan(8), new Set(['stack work0'])).boxes).toHaveLength(10)
})

test('unknown, repeated and circular dependencies on itself are ignored', () => {
  expect(foldSteps([step('a', 'gone'), step('b', 'a', 'a', 'b')], new Set()).edges).toEqual([[0, 1]])
})

test('each box is right of its dependencies, and no two overlap', () => {
  const edges: [number, number][] = [
    [0, 2],
    [1, 2],
    [2, 3],
    [0, 3],
    [4, 5],
  ]
  const places = cornersOf(7, edges)
  for (const [from, to] of edges) expect(places[from]?.[0]).toBeLessThan(places[to]?.[0] ?? 0)
  for (const [one, [x, y]] of places.entries()) {
    for (const [otherX, otherY] of places.slice(one + 1)) {
      expect(Math.abs(x - otherX) >= boxWidth || Math.abs(y - otherY) >= boxHeight).toBe(true)
    }
  }
  // Parts lie one below the other; a box without edges is last.
  const bottom = (boxes: number[]): number => Math.max(...boxes.map((box) => places[box]?.[1] ?? 0))
  expect(bottom([0, 1, 2, 3])).toBeLessThan(places[4]?.[1] ?? 0)
  expect(bottom([4, 5])).toBeLessThan(places[6]?.[1] ?? 0)
})

test('a step without dependencies is placed just before its first dependent', () => {
  const [, , , late] = cornersOf(4, [
    [0, 1],
    [1, 2],
    [3, 2],
  ])
  expect(late?.[0]).toBe(boxWidth + 56)
})

test('ordering the layers removes crossings', () => {
  // Two columns of eight, joined upside down.
  const layers = layersOf(
    16,
    Array.from({ length: 8 }, (_, index) => [index, 15 - index]),
  )
  const indexesOf = (order: readonly (readonly number[])[]): Float64Array => {
    const indexes = new Float64Array(16)
    for (const layer of order) layer.forEach((vertex, index) => (indexes[vertex] = index))
    return indexes
  }
  expect(crossings(layers.layers, layers.after, indexesOf(layers.layers))).toBe(28)
  const order = orderLayers(layers)
  expect(crossings(order, layers.after, indexesOf(order))).toBe(0)
})

test('2,000 steps are laid out, whatever their shape', () => {
  const many: [number, number][] = Array.from({ length: 1_999 }, (_, index) => [index >> 1, index + 1])
  const chain: [number, number][] = Array.from({ length: 1_999 }, (_, index) => [index, index + 1])
  const far: [number, number][] = chain.map(([, to]) => [0, to])
  for (const edges of [many, chain, [...chain, ...far]]) {
    const { corners, paths, width, height } = layOut(2_000, edges)
    expect(corners.every(Number.isFinite)).toBe(true)
    expect(paths.every((path) => path.length >= 4)).toBe(true)
    expect([width > 0, height > 0]).toEqual([true, true])
  }
})

test('a view fits, zooms around a point, and follows a box', () => {
  const layout = layOut(2, [[0, 1]])
  const area = { width: 300, height: 200 }
  const view = fitted(layout, area)
  expect(view.scale).toBeLessThan(1)
  expect(boxAt(layout, view, { x: 25, y: 100 })).toBe(0)
  expect(boxAt(layout, view, { x: 150, y: 10 })).toBeUndefined()
  const near = zoomed(view, 4, { x: 0, y: 0 })
  const moved = revealed(near, layout, 1, { width: 500, height: 300 })
  expect((layout.corners[2] ?? 0) * moved.scale + moved.x).toBeLessThanOrEqual(
    480.01 - boxWidth * moved.scale,
  )
  expect(revealed(moved, layout, 1, { width: 500, height: 300 })).toBe(moved)
  expect(fitted({ width: 0, height: 0 }, area).scale).toBe(1)
})

test('a graph that is slightly too large opens at the step to look at', () => {
  const edges: [number, number][] = [
    [0, 1],
    [1, 2],
  ]
  const layout = layOut(3, edges)
  const area = { width: 360, height: 200 }
  const view = opening(layout, area, 2)
  expect(view.scale).toBe(nearScale)
  expect(boxesInView(layout, view, area)).toContain(2)
  expect((layout.corners[4] ?? 0) * view.scale + view.x + boxWidth * view.scale).toBeLessThanOrEqual(340.01)
  expect(opening(layout, { width: 3_000, height: 900 }, 2).scale).toBe(1)
})

test('arrow keys move along the edges and down the columns', () => {
  const edges: [number, number][] = [
    [0, 1],
    [0, 2],
  ]
  const layout = layOut(3, edges)
  const right = boxBeside(layout, edges, 0, 'ArrowRight') ?? -1
  expect([1, 2]).toContain(right)
  expect(boxBeside(layout, edges, right, 'ArrowLeft')).toBe(0)
  const [upper, lower] = [1, 2].toSorted(
    (a, b) => (layout.corners[a * 2 + 1] ?? 0) - (layout.corners[b * 2 + 1] ?? 0),
  )
  expect(boxBeside(layout, edges, upper ?? -1, 'ArrowDown')).toBe(lower)
  expect(boxBeside(layout, edges, lower ?? -1, 'ArrowDown')).toBeUndefined()
  expect(boxBeside(layout, edges, 0, 'x')).toBeUndefined()
})

const timed = (
  name: string,
  state: 'success' | 'failed' | 'not_started',
  start: number,
  end: number,
  ...dependsOn: string[]
) => ({
  name,
  state,
  dependsOn,
  startedAtMs: state === 'not_started' ? undefined : start,
  tookMs: state === 'not_started' ? undefined : end - start,
})

test('the critical path leads back from the last end through the dependencies that ended last', () => {
  const rows = [
    timed('a', 'success', 0, 10),
    timed('b', 'success', 0, 50),
    timed('c', 'success', 50, 60, 'a', 'b'),
    timed('d', 'success', 10, 30, 'a'),
  ]
  expect([...criticalPath(rows)]).toEqual(['c', 'b'])
  expect(criticalPath([]).size).toBe(0)
})

test('the critical path of a failed run ends at the first failure, and the steps held back by it are found', () => {
  const rows = [
    timed('a', 'success', 0, 10),
    timed('b', 'failed', 10, 20, 'a'),
    timed('c', 'not_started', 0, 0, 'b'),
    timed('d', 'not_started', 0, 0, 'c'),
    timed('e', 'success', 10, 90, 'a'),
  ]
  expect([...criticalPath(rows)]).toEqual(['b', 'a'])
  expect([...heldByFailure(rows)].toSorted()).toEqual(['c', 'd'])
})
