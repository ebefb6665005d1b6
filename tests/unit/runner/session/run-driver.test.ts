import { describe, expect, test } from 'vitest'
import type { Definition } from '#lib/definition/definition.ts'
import type { AttemptResult, RunEvent } from '#lib/engine/actions.ts'
import { initialProgress } from '#lib/engine/initial-progress.ts'
import { planRun } from '#lib/engine/plan.ts'
import { RunDriver, type DriverOptions } from '#lib/runner/session/run-driver.ts'
import type { LongAction, RunChange, RunEffects } from '#lib/runner/session/run-effects.ts'
import { SessionState, type Phase } from '#lib/runner/session/session-state.ts'
import { attemptResult } from '#tests/support/engine-scenario.ts'
import { sampleDag, sampleRetry, sampleStep as step } from '#tests/support/sample-definition.ts'

/** Effects that end when the test says so, and are recorded. */
class SlowEffects implements RunEffects {
  readonly calls: string[] = []
  readonly changes: RunChange[] = []
  readonly attempts: { end: (result?: Partial<AttemptResult>) => Promise<void> }[] = []
  readonly #records: ((answer: 'recorded' | 'lost') => void)[] = []
  time = 1_000
  plan

  constructor(plan: ReturnType<typeof planRun>) {
    this.plan = plan
  }

  now = (): number => this.time

  record = (change: RunChange): Promise<'recorded' | 'lost'> => {
    this.changes.push(change)
    const changed = change.after.steps.flatMap((now, index) =>
      now === change.before.steps[index] ? [] : [`${this.plan.steps[index]?.step.name} ${now.status}`],
    )
    const { end } = change
    const ended =
      end === undefined
        ? []
        : ['finish' in end ? `finish ${end.finish.status}` : `release ${end.release.readyAtMs ?? 'now'}`]
    this.calls.push(`record ${[...changed, ...ended].join(', ')}`)
    return new Promise((resolve) => {
      this.#records.push(resolve)
    })
  }

  /** Answers every record in progress. */
  async answer(answer: 'recorded' | 'lost' = 'recorded'): Promise<void> {
    for (const resolve of this.#records.splice(0)) resolve(answer)
    await new Promise(setImmediate)
  }

  perform = async (action: LongAction, _: unknown, stop: AbortController): Promise<RunEvent> => {
    const at = this.time
    if (action.type === 'check-run') return { type: 'run-checked', met: true }
    const { step } = action
    if (action.type === 'decide-repeat') return { type: 'repeat-decided', step, met: false, at }
    const name = this.plan.steps[step]?.step.name
    if (action.type === 'check-step') {
      this.calls.push(`check ${name}`)
      return { type: 'step-checked', step, conditions: [{ met: true, error: '' }], at }
    }
    this.calls.push(`attempt ${name}${action.reattach ? ' again' : ''}`)
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    const end = async (result: Partial<AttemptResult> = {}): Promise<void> => {
      resolve({ ...attemptResult(0), stopped: stop.signal.reason === 'stopped', ...result })
      await new Promise(setImmediate)
    }
    stop.signal.addEventListener('abort', () => {
      this.calls.push(`stop ${name}: ${String(stop.signal.reason)}`)
      void end()
    })
    this.attempts.push({ end })
    return { type: 'attempt-ended', step, at: this.time, result: await promise }
  }

  flushed: Promise<void> = Promise.resolve()
  flush = (): Promise<void> => {
    this.calls.push('flush')
    return this.flushed
  }
  publish = (): void => undefined
  publishEnd = (): void => undefined
}

interface Driven {
  readonly effects: SlowEffects
  readonly driver: RunDriver
  readonly state: SessionState
  /** Whether something executed, each time that this may have changed. */
  readonly busy: boolean[]
  readonly phase: () => Phase
  readonly drain: () => void
}

function driven(
  steps: Definition['steps'],
  given: Partial<Definition> = {},
  options: Partial<DriverOptions> & { readonly drains?: boolean } = {},
): Driven {
  const plan = planRun(sampleDag(steps, given))
  const effects = new SlowEffects(plan)
  const busy: boolean[] = []
  const state = new SessionState()
  const driver = new RunDriver({
    plan,
    progress: initialProgress(plan, effects.time),
    openingSteps: [],
    events: [],
    effects,
    state,
    onBusy: () => busy.push(driver.executing > 0),
    ...options,
  })
  const drain = (): void => {
    if (state.take('drain')) driver.drain()
  }
  if (options.drains === true) state.take('drain')
  else state.take('prepared')
  void driver.drive()
  return { effects, driver, state, busy, phase: () => state.phase, drain }
}

const chain = [step('a'), step('b', { dependsOn: ['a'] })]
const child = { dag: 'helper', params: undefined, parallel: undefined }

describe('driving a run', () => {
  test('a step starts only after it is recorded as running; its end and the next start are one record', async () => {
    const { effects, phase } = driven(chain)
    expect(effects.calls).toEqual(['record a running'])
    await effects.answer()
    await effects.attempts[0]?.end()
    expect(effects.calls.slice(1)).toEqual(['attempt a', 'record a success, b running'])
    await effects.answer()
    await effects.attempts[1]?.end()
    expect(effects.calls.slice(3)).toEqual(['attempt b', 'flush', 'record b success, finish success'])
    expect(phase()).toBe('finishing')
    await effects.answer()
    expect(phase()).toBe('finished')
  })

  test('a step that began with the claim is executed without another record', async () => {
    const { effects, driver, phase } = driven(chain, {}, { openingSteps: [0] })
    expect(effects.calls).toEqual(['attempt a'])
    expect(driver.executing).toBe(1)
    await effects.attempts[0]?.end()
    expect(effects.calls.slice(1)).toEqual(['record a success, b running'])
    await effects.answer()
    await effects.attempts[1]?.end()
    await effects.answer()
    expect(effects.calls.slice(2)).toEqual(['attempt b', 'flush', 'record b success, finish success'])
    expect(phase()).toBe('finished')
  })

  test('only steps that did not begin with the claim wait for their record', async () => {
    const { effects } = driven([step('a'), step('b')], {}, { openingSteps: [0] })
    expect(effects.calls).toEqual(['attempt a', 'record b running'])
    await effects.answer()
    expect(effects.calls.at(-1)).toBe('attempt b')
  })

  test('a stop that came before the first step is executed ends it', async () => {
    const { effects, phase } = driven(
      chain,
      {},
      { openingSteps: [0], events: [{ type: 'stop-requested', at: 900 }] },
    )
    await new Promise(setImmediate)
    await effects.answer()
    expect(effects.calls).toContain('stop a: stopped')
    expect(effects.calls.at(-1)).toBe('record a cancelled, finish cancelled')
    expect(phase()).toBe('finished')
  })

  test('a session that drains from its start executes only the steps that began with the claim', async () => {
    const { effects, phase } = driven(chain, {}, { openingSteps: [0], drains: true })
    expect(effects.calls).toEqual(['attempt a'])
    await effects.attempts[0]?.end()
    await effects.answer()
    await effects.answer()
    expect(effects.calls.slice(1)).toEqual(['record a success', 'flush', 'record release now'])
    expect(phase()).toBe('released')
  })

  test('a run is finished only after its log is stored', async () => {
    const { effects } = driven([step('a')])
    await effects.answer()
    const { promise, resolve } = Promise.withResolvers<void>()
    effects.flushed = promise
    await effects.attempts[0]?.end()
    expect(effects.calls.at(-1)).toBe('flush')
    resolve()
    await new Promise(setImmediate)
    expect(effects.calls.at(-1)).toBe('record a success, finish success')
  })

  test('preconditions are evaluated only after earlier changes are durable', async () => {
    const condition = { condition: 'true', expected: undefined, negate: false }
    const { effects } = driven([step('a', { preconditions: [condition] })])
    await effects.answer()
    expect(effects.calls.filter((call) => !call.startsWith('record'))).toEqual(['check a'])
    await effects.answer()
    expect(effects.calls.at(-1)).toBe('attempt a')
  })

  test('steps that may run together are recorded together', async () => {
    const { effects } = driven([step('a'), step('b')])
    expect(effects.calls).toEqual(['record a running, b running'])
    await effects.answer()
    expect(effects.calls.slice(1)).toEqual(['attempt a', 'attempt b'])
  })

  test('a lost lease kills the attempts in progress, and nothing more is recorded', async () => {
    const { effects, phase } = driven([step('a'), step('b')])
    await effects.answer()
    await effects.attempts[0]?.end()
    await effects.answer('lost')
    expect(effects.calls.slice(3)).toEqual(['record a success', 'stop b: lease_lost'])
    expect(phase()).toBe('lost')
  })

  test('nothing is started when the record of its start is refused', async () => {
    const { effects, phase } = driven([step('a')])
    await effects.answer('lost')
    expect(effects.calls).toEqual(['record a running'])
    expect(phase()).toBe('lost')
  })

  test('a stop reaches the step before it is durable', async () => {
    const { effects, driver, phase } = driven(chain)
    await effects.answer()
    driver.apply({ type: 'stop-requested', at: effects.time })
    expect(effects.calls).toContain('stop a: stopped')
    await new Promise(setImmediate)
    await effects.answer()
    expect(effects.calls.at(-1)).toBe('record a cancelled, finish cancelled')
    await effects.answer()
    expect(phase()).toBe('finished')
  })
})

describe('draining', () => {
  test('lets the running step end, starts nothing more, and releases the run', async () => {
    const { effects, phase, drain } = driven(chain)
    await effects.answer()
    drain()
    expect(phase()).toBe('draining')
    await effects.attempts[0]?.end()
    await effects.answer()
    expect(effects.calls.slice(2)).toEqual(['record a success', 'flush', 'record release now'])
    await effects.answer()
    expect(phase()).toBe('released')
  })

  test('does not wait for child runs, which continue', async () => {
    const { effects, phase, drain } = driven([step('a', { child })])
    await effects.answer()
    drain()
    await effects.answer()
    await effects.answer()
    expect(effects.calls.slice(2)).toEqual(['stop a: lease_lost', 'flush', 'record release now'])
    expect(phase()).toBe('released')
  })

  test('kills the step when the grace period ends, and releases the run unchanged', async () => {
    const { effects, state, phase, drain } = driven(chain)
    await effects.answer()
    drain()
    state.take('release')
    await new Promise(setImmediate)
    expect(effects.calls.slice(2)).toEqual(['stop a: lease_lost', 'flush', 'record release now'])
    expect(effects.changes.at(-1)?.after.steps[0]?.status).toBe('running')
    await effects.answer()
    expect(phase()).toBe('released')
  })
})

describe('slots', () => {
  test('a run that only waits for child runs is not busy', async () => {
    const { effects, driver, busy } = driven([step('a', { child }), step('b', { dependsOn: ['a'] })])
    await effects.answer()
    expect(busy.at(-1)).toBe(false)
    await effects.attempts[0]?.end()
    expect(driver.executing).toBe(1)
  })

  test('a run that only waits long for a retry is released until then', async () => {
    const retryPolicy = sampleRetry({ limit: 1, intervalSec: 3_600 })
    const { effects, phase } = driven([step('a', { retryPolicy })])
    await effects.answer()
    await effects.attempts[0]?.end({ exitCode: 1, error: 'exit status 1' })
    await effects.answer()
    await effects.answer()
    expect(effects.calls.at(-1)).toBe('record release 3601000')
    expect(phase()).toBe('released')
  })
})
