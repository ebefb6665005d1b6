import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSpec } from '#lib/definition/read-spec.ts'
import { dryRun } from '#lib/engine/dry-run.ts'
import { randomDag } from '#tests/support/random-definitions.ts'

const order = (spec: string): string[][] => dryRun(readSpec(spec, { fileName: 'dag' }).dag)

test('endless repetitions, limits and delays do not change the order', () => {
  const spec = `
type: graph
delaySec: 5
timeoutSec: 1
maxActiveSteps: 2
handlerOn: {init: {command: a}, failure: {command: b}, success: {command: c}}
steps:
  - {name: one, command: x, repeatPolicy: {repeat: true, intervalSec: 60}}
  - {name: two, command: x, retryPolicy: {limit: 3, intervalSec: 60}}
  - {name: three, command: x}
  - {name: four, command: x, depends: one}
`
  expect(order(spec)).toEqual([['onInit'], ['one', 'two'], ['three', 'four'], ['onSuccess']])
})

test('every step of any graph comes once, after its dependencies', () => {
  fc.assert(
    fc.property(randomDag, (definition) => {
      const waves = dryRun(definition)
      const index = new Map(waves.flatMap((names, wave) => names.map((name) => [name, wave] as const)))
      expect(waves.flat().length).toBe(index.size)
      for (const step of definition.steps) {
        expect(index.has(step.name)).toBe(true)
        for (const upstream of step.dependsOn) {
          expect(index.get(step.name)).toBeGreaterThan(index.get(upstream) ?? Infinity)
        }
      }
    }),
  )
})
