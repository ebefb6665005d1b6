import { describe, expect, test } from 'vitest'
import type { Definition, Step } from '#lib/definition/definition.ts'
import type { AttemptResult } from '#lib/engine/actions.ts'
import { initialProgress } from '#lib/engine/initial-progress.ts'
import { planRun } from '#lib/engine/plan.ts'
import { RunDrive, type DriveEnd, type DriveOptions } from '#lib/runner/drive-run.ts'
import type { AttemptRequest, RunChange, RunWorld } from '#lib/runner/run-world.ts'

const good: AttemptResult = {
  exitCode: 0,
  error: '',
  stopped: false,
  timedOut: false,
  outputs: {},
  outputMatched: false,
  partial: false,
}

function step(name: string, given: Partial<Step> = {}): Step {
  return {
    name,
    id: undefined,
    dependsOn: [],
    preconditions: [],
    continueOn: { failure: false, skipped: false, exitCodes: [], output: [], markSuccess: false },
    retryPolicy: undefined,
    repeatPolicy: undefined,
    child: undefined,
    ...given,
  } as unknown as Step
}

/** A world in which everything takes as long as the test says, and every call is written down. */
class SlowWorld implements RunWorld {
  readonly calls: string[] = []
  readonly changes: RunChange[] = []
  readonly attempts: (AttemptRequest & { end: (result?: Partial<AttemptResult>) => Promise<void> })[] = []
  readonly #records: ((answer: 'recorded' | 'lost') => void)[] = []
  time = 1_000
  plan

  constructor(plan: ReturnType<typeof planRun>) {
    this.plan = plan
  }

  now = (): number => this.time

  record = (change: RunChange): Promise<'recorded' | 'lost'> => {
    this.changes.push(change)
    const changed = change.after.steps.flatMap((now, place) =>
      now === change.before.steps[place] ? [] : [`${this.plan.steps[place]?.step.name} ${now.status}`],
    )
    const finish = change.finish === undefined ? [] : [`finish ${change.finish.status}`]
    const release = change.release === undefined ? [] : [`release ${change.release.readyAt ?? 'now'}`]
    this.calls.push(`record ${[...changed, ...finish, ...release].join(', ')}`)
    return new Promise((resolve) => {
      this.#records.push(resolve)
    })
  }

  /** Answers every record under way. */
  async answer(answer: 'recorded' | 'lost' = 'recorded'): Promise<void> {
    for (const resolve of this.#records.splice(0)) resolve(answer)
    await new Promise(setImmediate)
  }

  attempt = (request: AttemptRequest): Promise<AttemptResult> => {
    this.calls.push(`attempt ${this.plan.steps[request.place]?.step.name}${request.reattach ? ' again' : ''}`)
    return new Promise((resolve) => {
      const end = async (result: Partial<AttemptResult> = {}): Promise<void> => {
        resolve({ ...good, stopped: request.stop.signal.reason === 'stopped', ...result })
        await new Promise(setImmediate)
      }
      request.stop.signal.addEventListener('abort', () => {
        this.calls.push(
          `stop ${this.plan.steps[request.place]?.step.name}: ${String(request.stop.signal.reason)}`,
        )
        void end()
      })
      this.attempts.push({ ...request, end })
    })
  }

  checkRun = (): Promise<boolean> => Promise.resolve(true)
  checkStep = (_: unknown, place: number): Promise<{ met: boolean; error: string }[]> => {
    this.calls.push(`check ${this.plan.steps[place]?.step.name}`)
    return Promise.resolve([{ met: true, error: '' }])
  }
  decideRepeat = (): Promise<boolean> => Promise.resolve(false)
  flushed: Promise<void> = Promise.resolve()
  flush = (): Promise<void> => {
    this.calls.push('flush')
    return this.flushed
  }
  tell = (): void => undefined
  tellEnd = (): void => undefined
}

interface Driven {
  readonly world: SlowWorld
  readonly drive: RunDrive
  readonly busy: boolean[]
  readonly end: () => DriveEnd | undefined
}

function driven(
  steps: readonly Step[],
  given: Partial<Definition> = {},
  options: Partial<DriveOptions> = {},
): Driven {
  const definition = {
    handlers: {},
    preconditions: [],
    maxActiveSteps: 0,
    delaySec: 0,
    timeoutSec: 0,
    steps,
    ...given,
  } as unknown as Definition
  const plan = planRun(definition)
  const world = new SlowWorld(plan)
  const busy: boolean[] = []
  let end: DriveEnd | undefined
  const drive = new RunDrive({
    plan,
    progress: initialProgress(plan, world.time),
    world,
    onBusy: () => busy.push(drive.isBusy),
    ...options,
  })
  void drive.done.then((how) => {
    end = how
  })
  if (options.begun === undefined) drive.apply()
  return { world, drive, busy, end: () => end }
}

const chain = [step('a'), step('b', { dependsOn: ['a'] })]
const child = { dag: 'helper', params: undefined, parallel: undefined }

describe('driving a run', () => {
  test('a step starts only after it is recorded as running; its end and the next start are one record', async () => {
    const { world, end } = driven(chain)
    expect(world.calls).toEqual(['record a running'])
    await world.answer()
    await world.attempts[0]?.end()
    expect(world.calls.slice(1)).toEqual(['attempt a', 'record a success, b running'])
    await world.answer()
    await world.attempts[1]?.end()
    expect(world.calls.slice(3)).toEqual(['attempt b', 'flush', 'record b success, finish success'])
    expect(end()).toBeUndefined()
    await world.answer()
    expect(end()).toBe('finished')
  })

  test('a step that began with the claim is executed without another record', async () => {
    const { world, drive, end } = driven(chain, {}, { begun: [0] })
    drive.apply()
    expect(world.calls).toEqual(['attempt a'])
    expect(drive.isBusy).toBe(true)
    await world.attempts[0]?.end()
    expect(world.calls.slice(1)).toEqual(['record a success, b running'])
    await world.answer()
    await world.attempts[1]?.end()
    await world.answer()
    expect(world.calls.slice(2)).toEqual(['attempt b', 'flush', 'record b success, finish success'])
    expect(end()).toBe('finished')
  })

  test('steps that did not begin with the claim wait for their record, those that did do not', async () => {
    const { world, drive } = driven([step('a'), step('b')], {}, { begun: [0] })
    drive.apply()
    expect(world.calls).toEqual(['attempt a', 'record b running'])
    await world.answer()
    expect(world.calls.at(-1)).toBe('attempt b')
  })

  test('a stop that came before the first step is executed ends it', async () => {
    const { world, drive, end } = driven(
      chain,
      {},
      { begun: [0], events: [{ type: 'stop-requested', at: 900 }] },
    )
    drive.apply()
    await new Promise(setImmediate)
    await world.answer()
    expect(world.calls).toContain('stop a: stopped')
    expect(world.calls.at(-1)).toBe('record a cancelled, finish cancelled')
    expect(end()).toBe('finished')
  })

  test('a run that is handed over when it begins executes what began with the claim, and nothing more', async () => {
    const { world, drive, end } = driven(chain, {}, { begun: [0] })
    drive.handOver()
    expect(world.calls).toEqual(['attempt a'])
    await world.attempts[0]?.end()
    await world.answer()
    await world.answer()
    expect(world.calls.slice(1)).toEqual(['record a success', 'flush', 'record release now'])
    expect(end()).toBe('given back')
  })

  test('a run is finished only after its log is stored', async () => {
    const { world } = driven([step('a')])
    await world.answer()
    const { promise, resolve } = Promise.withResolvers<void>()
    world.flushed = promise
    await world.attempts[0]?.end()
    expect(world.calls.at(-1)).toBe('flush')
    resolve()
    await new Promise(setImmediate)
    expect(world.calls.at(-1)).toBe('record a success, finish success')
  })

  test('preconditions are evaluated after what came before is durable', async () => {
    const condition = { condition: 'true', expected: undefined, negate: false }
    const { world } = driven([step('a', { preconditions: [condition] })])
    await world.answer()
    expect(world.calls.filter((call) => !call.startsWith('record'))).toEqual(['check a'])
    await world.answer()
    expect(world.calls.at(-1)).toBe('attempt a')
  })

  test('steps that may run together are recorded together', async () => {
    const { world } = driven([step('a'), step('b')])
    expect(world.calls).toEqual(['record a running, b running'])
    await world.answer()
    expect(world.calls.slice(1)).toEqual(['attempt a', 'attempt b'])
  })

  test('a lost lease kills what is under way, and nothing more is recorded', async () => {
    const { world, end } = driven([step('a'), step('b')])
    await world.answer()
    await world.attempts[0]?.end()
    await world.answer('lost')
    expect(world.calls.slice(3)).toEqual(['record a success', 'stop b: lease_lost'])
    expect(end()).toBe('lost')
  })

  test('nothing is started when the record of its start is refused', async () => {
    const { world, end } = driven([step('a')])
    await world.answer('lost')
    expect(world.calls).toEqual(['record a running'])
    expect(end()).toBe('lost')
  })

  test('a stop reaches the step at once, not only when it is durable', async () => {
    const { world, drive, end } = driven(chain)
    await world.answer()
    drive.apply({ type: 'stop-requested', at: world.time })
    expect(world.calls).toContain('stop a: stopped')
    await new Promise(setImmediate)
    await world.answer()
    expect(world.calls.at(-1)).toBe('record a cancelled, finish cancelled')
    await world.answer()
    expect(end()).toBe('finished')
  })
})

describe('handing over', () => {
  test('lets the running step end, starts nothing more, and gives the run back', async () => {
    const { world, drive, end } = driven(chain)
    await world.answer()
    drive.handOver()
    expect(end()).toBeUndefined()
    await world.attempts[0]?.end()
    await world.answer()
    expect(world.calls.slice(2)).toEqual(['record a success', 'flush', 'record release now'])
    await world.answer()
    expect(end()).toBe('given back')
  })

  test('does not wait for child runs, which go on', async () => {
    const { world, drive, end } = driven([step('a', { child })])
    await world.answer()
    drive.handOver()
    await world.answer()
    await world.answer()
    expect(world.calls.slice(2)).toEqual(['stop a: lease_lost', 'flush', 'record release now'])
    expect(end()).toBe('given back')
  })

  test('at the end of the grace the step is killed and the run given back as it is', async () => {
    const { world, drive, end } = driven(chain)
    await world.answer()
    drive.handOver()
    const giving = drive.giveBackNow()
    await new Promise(setImmediate)
    expect(world.calls.slice(2)).toEqual(['stop a: lease_lost', 'flush', 'record release now'])
    expect(world.changes.at(-1)?.after.steps[0]?.status).toBe('running')
    await world.answer()
    await giving
    expect(end()).toBe('given back')
  })
})

describe('slots', () => {
  test('a run that only waits for child runs is not busy', async () => {
    const { world, drive, busy } = driven([step('a', { child }), step('b', { dependsOn: ['a'] })])
    await world.answer()
    expect(busy.at(-1)).toBe(false)
    await world.attempts[0]?.end()
    expect(drive.isBusy).toBe(true)
  })

  test('a run that waits long for a retry, and for nothing else, is given back until then', async () => {
    const retryPolicy = { limit: 1, intervalSec: 3_600, exitCodes: [], backoff: 1, maxIntervalSec: undefined }
    const { world, end } = driven([step('a', { retryPolicy })])
    await world.answer()
    await world.attempts[0]?.end({ exitCode: 1, error: 'exit status 1' })
    await world.answer()
    await world.answer()
    expect(world.calls.at(-1)).toBe('record release 3601000')
    expect(end()).toBe('given back')
  })
})
