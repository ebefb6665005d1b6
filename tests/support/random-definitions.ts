import * as fc from 'fast-check'
import type { Definition, Handlers, RepeatPolicy, RetryPolicy, Step } from '#lib/definition/definition.ts'
import {
  sampleChild,
  sampleCondition,
  sampleDag,
  sampleRepeat,
  sampleRetry,
  sampleStep,
} from './sample-definition.ts'

const seconds = fc.constantFrom(0, 0, 1, 3)
const exitCodes = fc.constantFrom<number[]>([], [], [1], [1, 2], [0])

const retryPolicy: fc.Arbitrary<RetryPolicy> = fc
  .record({ limit: fc.nat(3), intervalSec: seconds, exitCodes, backoff: fc.constantFrom(1, 2) })
  .map(sampleRetry)

const repeatPolicy: fc.Arbitrary<RepeatPolicy> = fc
  .record({
    mode: fc.constantFrom('always', 'while', 'until'),
    intervalSec: seconds,
    exitCodes: fc.constantFrom([0], [1]),
    condition: fc.constantFrom(undefined, sampleCondition),
    limit: fc.constantFrom(1, 2, 4),
  })
  .map(sampleRepeat)

const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 3 })

const stepSettings = fc
  .record({
    continueOn: fc.record({
      failure: fc.boolean(),
      skipped: fc.boolean(),
      exitCodes,
      markSuccess: fc.boolean(),
    }),
    retryPolicy: sometimes(retryPolicy),
    repeatPolicy: sometimes(repeatPolicy),
    preconditions: fc.constantFrom([], [], [sampleCondition]),
    kind: fc.constantFrom({}, {}, {}, sampleChild),
  })
  .map(({ kind, ...settings }) => Object.assign(settings, kind))

/** Steps in any order, without a cycle. */
const randomSteps: fc.Arbitrary<Step[]> = fc
  .array(fc.tuple(stepSettings, fc.array(fc.nat(20), { maxLength: 3 })), { maxLength: 10 })
  .chain((drawn) => {
    const steps = drawn.map(([settings, upstream], index) => {
      const dependsOn = index === 0 ? [] : upstream.map((number) => `s${number % index}`)
      return sampleStep(`s${index}`, { ...settings, dependsOn })
    })
    return fc.shuffledSubarray(steps, { minLength: steps.length })
  })

const randomHandlers: fc.Arbitrary<Handlers> = fc
  .record(
    Object.fromEntries(
      (['init', 'success', 'failure', 'cancel', 'exit'] as const).map((kind) => [
        kind,
        stepSettings.map((settings) => sampleStep(kind, settings)),
      ]),
    ),
    { requiredKeys: [] },
  )
  .map((handlers) => handlers)

/** DAGs of up to ten steps with every policy. All repetitions are bounded. */
export const randomDag: fc.Arbitrary<Definition> = fc
  .record({
    steps: randomSteps,
    handlers: randomHandlers,
    maxActiveSteps: fc.constantFrom(0, 0, 1, 2),
    delaySec: fc.constantFrom(0, 0, 0, 1),
    timeoutSec: fc.constantFrom(0, 0, 0, 2, 10),
    preconditions: fc.constantFrom([], [], [sampleCondition]),
  })
  .map(({ steps, ...settings }) => sampleDag(steps, settings))
