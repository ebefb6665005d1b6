import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { planRun } from '#lib/engine/plan.ts'
import type { StepProgress } from '#lib/engine/progress.ts'
import { resetForRetry } from '#lib/engine/reset-for-retry.ts'
import { randomDag } from '#tests/support/random-definitions.ts'
import { RandomEffects } from '#tests/support/random-effects.ts'

const seed = fc.integer()
const quiet = { stops: 0, losses: 0, nonsense: 0 }
const turnsMax = 3000

/** The rules for the status of a run, restated; the first match wins. */
function expectedStatus({ plan, progress }: RandomEffects): string {
  const graph = progress.steps.slice(0, plan.graphSize)
  const { success, exit, init } = plan.handlers
  const begun = init === undefined ? graph : [...graph, progress.steps[init]]
  const isWell = (step: StepProgress | undefined) =>
    step !== undefined && (step.status === 'success' || step.status === 'skipped' || step.tolerated)
  const closing = [success, exit].map((index) => progress.steps[index ?? -1])
  const isFailed = (step: StepProgress | undefined) => step?.status === 'failed' && !step.tolerated
  if (progress.ending === 'timed_out') return 'failed'
  if (progress.ending === 'precondition_unmet' || progress.ending === 'init_failed') return 'cancelled'
  if (progress.ending === 'stopped' && !(progress.checked && begun.every(isWell))) return 'cancelled'
  if (graph.some(isFailed)) return 'failed'
  const succeeded = graph.some((step) => step.status === 'success')
  const softly = graph.some((step) => step.status === 'failed')
  if (softly && !succeeded) return 'failed'
  const bad = closing.find((step) => isFailed(step) || step?.status === 'cancelled')
  if (bad !== undefined) return bad.status
  const partly = graph.some((step) => step.status === 'success' && step.tolerated)
  return softly || partly ? 'partial_success' : 'success'
}

test('every run ends with the right status, whatever the order of events', () => {
  fc.assert(
    fc.property(randomDag, seed, (dag, seed) => {
      const effects = new RandomEffects(planRun(dag), { ...quiet, seed, nonsense: 50 }).run(turnsMax)
      expect(effects.finished).toBe(expectedStatus(effects))
    }),
    { numRuns: 1500 },
  )
})

test('a run ends with the right status from its stored rows, wherever its runner was lost', () => {
  fc.assert(
    fc.property(randomDag, seed, (dag, seed) => {
      const effects = new RandomEffects(planRun(dag), { ...quiet, seed, losses: 60 }).run(turnsMax)
      expect(effects.finished).toBe(expectedStatus(effects))
    }),
    { numRuns: 1500 },
  )
})

test('a run that is stopped any number of times ends, whatever else goes wrong', () => {
  fc.assert(
    fc.property(randomDag, seed, (dag, seed) => {
      const settings = { seed, stops: 40, losses: 40, nonsense: 40 }
      const effects = new RandomEffects(planRun(dag), settings).run(turnsMax)
      expect(effects.finished).toBe(expectedStatus(effects))
    }),
    { numRuns: 1500 },
  )
})

test('the order of events does not change the outcome of the steps', () => {
  fc.assert(
    fc.property(randomDag, seed, seed, (dag, one, other) => {
      const plan = planRun({ ...dag, timeoutSec: 0 })
      const [a, b] = [one, other].map((seed) => {
        const effects = new RandomEffects(plan, { ...quiet, seed, fixedResults: true }).run(turnsMax)
        return { status: effects.finished, steps: effects.progress.steps.map((step) => step.status) }
      })
      expect(a).toEqual(b)
    }),
    { numRuns: 1500 },
  )
})

test('a retry keeps successful steps, unless they come after a step that runs again', () => {
  fc.assert(
    fc.property(randomDag, seed, seed, (dag, one, other) => {
      const plan = planRun(dag)
      const first = new RandomEffects(plan, { ...quiet, seed: one, stops: 20 }).run(turnsMax)
      const rows = [...first.rows.values()]
      const dropped = new Set(resetForRetry(plan, rows))
      plan.steps.slice(0, plan.graphSize).forEach(({ step, dependsOn }, index) => {
        const status = first.progress.steps[index]?.status
        const isBehind = dependsOn.some((upstream) => dropped.has(plan.steps[upstream]?.step.name ?? ''))
        const isKept = (status === 'success' || status === 'skipped') && !isBehind
        expect(dropped.has(step.name)).toBe(status !== 'not_started' && !isKept)
      })
      const kept = rows.filter((row) => !dropped.has(row.name))
      const second = new RandomEffects(plan, { ...quiet, seed: other, rows: kept }).run(turnsMax)
      for (const { name } of kept) expect(second.started.has(name)).toBe(false)
    }),
    { numRuns: 1500 },
  )
})
