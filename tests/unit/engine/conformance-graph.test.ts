import { describe, expect, test } from 'vitest'
import type { Definition } from '#lib/definition/definition.ts'
import { play, type Script } from '#tests/support/engine-scenario.ts'
import {
  sampleChain,
  sampleChild,
  sampleCondition,
  sampleDag,
  sampleRetry,
  sampleStep as step,
} from '#tests/support/sample-definition.ts'

/** A case of the conformance corpus, in terms of the engine: what the steps do, and the expected outcome. */
interface Case {
  readonly dag: Definition
  readonly script?: Script
  readonly status: string
  /** `name status` of every step that is not a success, in file order. */
  readonly others?: readonly string[]
  readonly handlers?: Readonly<Record<string, string>>
}

const tolerant = { continueOn: { failure: true } }
const checked = { preconditions: [sampleCondition] }

function outcomeOf({ dag, script }: Case): unknown {
  const played = play(dag, script)
  return {
    status: played.status,
    others: Object.entries(played.steps)
      .filter(([, status]) => status !== 'success')
      .map(([name, status]) => `${name} ${status}`),
    handlers: played.handlers,
  }
}

function table(cases: Readonly<Record<string, Case>>): void {
  test.each(Object.entries(cases))('%s', (_, entry) => {
    const { status, others = [], handlers = {} } = entry
    expect(outcomeOf(entry)).toEqual({ status, others, handlers })
  })
}

describe('the status of a run', () => {
  table({
    'failures marked as success leave a success': {
      dag: sampleDag([step('one', { continueOn: { failure: true, markSuccess: true } }), step('two')]),
      script: { attempts: { one: [1] } },
      status: 'success',
    },
    'a failing and a succeeding branch make a failed run': {
      dag: sampleDag([step('up'), step('down')]),
      script: { attempts: { down: [1] } },
      status: 'failed',
      others: ['down failed'],
    },
    'a run whose steps all failed has failed, tolerated or not': {
      dag: sampleDag([step('one', tolerant), step('two', tolerant)]),
      script: { attempts: { one: [1], two: [1] } },
      status: 'failed',
      others: ['one failed', 'two failed'],
    },
    'a tolerated failure followed by success is a partial success': {
      dag: sampleChain([step('first'), step('soft', tolerant), step('third')]),
      script: { attempts: { soft: [4] } },
      status: 'partial_success',
      others: ['soft failed'],
    },
    'a run without steps succeeds': { dag: sampleDag([]), status: 'success' },
    'a run whose steps were all skipped succeeds': {
      dag: sampleDag([step('gate', checked)]),
      script: { unmet: ['gate'] },
      status: 'success',
      others: ['gate skipped'],
    },
    'a tolerated failure beside skipped steps only is a failure': {
      dag: sampleDag([step('gate', checked), step('soft', tolerant)]),
      script: { unmet: ['gate'], attempts: { soft: [1] } },
      status: 'failed',
      others: ['gate skipped', 'soft failed'],
    },
  })
})

describe('continueOn', () => {
  const picky = { continueOn: { exitCodes: [11, 12] } }
  table({
    'a listed exit code is tolerated': {
      dag: sampleChain([step('picky', picky), step('next')]),
      script: { attempts: { picky: [12] } },
      status: 'partial_success',
      others: ['picky failed'],
    },
    'an exit code that is not listed is not tolerated': {
      dag: sampleChain([step('picky', picky), step('next')]),
      script: { attempts: { picky: [13] } },
      status: 'failed',
      others: ['picky failed', 'next cancelled'],
    },
    'a tolerated failure of the last step leaves a partial success': {
      dag: sampleChain([step('fine'), step('shaky', tolerant)]),
      script: { attempts: { shaky: [8] } },
      status: 'partial_success',
      others: ['shaky failed'],
    },
    'later steps run after a tolerated failure': {
      dag: sampleChain([step('shaky', tolerant), step('next')]),
      script: { attempts: { shaky: [1] } },
      status: 'partial_success',
      others: ['shaky failed'],
    },
    'a tolerated failure can be marked as success': {
      dag: sampleChain([step('shaky', { continueOn: { failure: true, markSuccess: true } }), step('next')]),
      script: { attempts: { shaky: [1] } },
      status: 'success',
    },
    'a failure is tolerated when the output contains a text': {
      dag: sampleChain([step('talkative', { continueOn: { output: ['nothing to do'] } }), step('next')]),
      script: { attempts: { talkative: [{ exitCode: 1, outputMatched: true }] } },
      status: 'partial_success',
      others: ['talkative failed'],
    },
    'the step after a skipped one runs when that is tolerated': {
      dag: sampleChain([
        step('gate', { ...checked, continueOn: { skipped: true } }),
        step('next'),
        step('last'),
      ]),
      script: { unmet: ['gate'] },
      status: 'success',
      others: ['gate skipped'],
    },
    'a tolerated failure and a tolerated skip leave a partial success': {
      dag: sampleChain([
        step('shaky', tolerant),
        step('gate', { ...checked, continueOn: { skipped: true } }),
        step('next'),
      ]),
      script: { attempts: { shaky: [1] }, unmet: ['gate'] },
      status: 'partial_success',
      others: ['shaky failed', 'gate skipped'],
    },
    'several tolerated failures and one success make a partial success': {
      dag: sampleChain([step('s1', tolerant), step('s2'), step('s3', tolerant)]),
      script: { attempts: { s1: [1], s3: [1] } },
      status: 'partial_success',
      others: ['s1 failed', 's3 failed'],
    },
  })
})

describe('dependencies', () => {
  const on = (...dependsOn: string[]) => ({ dependsOn })
  table({
    'a step outside the chain runs beside a failure': {
      dag: sampleDag([step('broken'), step('independent')]),
      script: { attempts: { broken: [1] } },
      status: 'failed',
      others: ['broken failed'],
    },
    'in a chain the steps after a failure are not run': {
      dag: sampleChain([step('fine'), step('broken'), step('next'), step('last')]),
      script: { attempts: { broken: [3] } },
      status: 'failed',
      others: ['broken failed', 'next cancelled', 'last cancelled'],
    },
    'a failed branch stops its own dependents only': {
      dag: sampleDag([
        step('bad'),
        step('bad child', on('bad')),
        step('good'),
        step('good child', on('good')),
      ]),
      script: { attempts: { bad: [2] } },
      status: 'failed',
      others: ['bad failed', 'bad child cancelled'],
    },
    'steps after a skipped step are skipped too': {
      dag: sampleChain([step('gate', checked), step('behind'), step('far behind')]),
      script: { unmet: ['gate'] },
      status: 'success',
      others: ['gate skipped', 'behind skipped', 'far behind skipped'],
    },
    'a failure outweighs a skipped step': {
      dag: sampleDag([step('gate', checked), step('bad'), step('join', on('gate', 'bad'))]),
      script: { unmet: ['gate'], attempts: { bad: [1] } },
      status: 'failed',
      others: ['gate skipped', 'bad failed', 'join cancelled'],
    },
    'a skip outweighs a success': {
      dag: sampleDag([step('gate', checked), step('good'), step('join', on('gate', 'good'))]),
      script: { unmet: ['gate'] },
      status: 'success',
      others: ['gate skipped', 'join skipped'],
    },
  })

  test('each step of a chain waits for the one before it', () => {
    const { starts } = play(sampleChain([step('a'), step('b'), step('c')]))
    expect(starts).toEqual({ a: [0], b: [10], c: [20] })
  })

  test('the join of a diamond waits for both branches', () => {
    const dag = sampleDag([
      step('join', on('left', 'right')),
      step('left', on('root')),
      step('right', on('root')),
      step('root'),
    ])
    const { starts } = play(dag, { attempts: { left: [{ lastsMs: 1000 }] } })
    expect(starts).toEqual({ root: [0], left: [10], right: [10], join: [1010] })
  })

  test('steps without dependencies do not wait for each other', () => {
    const { starts } = play(sampleDag([step('waiter'), step('signaller')]))
    expect(starts).toEqual({ waiter: [0], signaller: [0] })
  })

  test('only direct dependents of a failure say why they were cancelled', () => {
    const { progressOf } = play(sampleChain([step('bad'), step('next'), step('last')]), {
      attempts: { bad: [1] },
    })
    expect(progressOf('next').error).toBe('upstream failed')
    expect(progressOf('last').error).toBe('')
  })

  test('a step after a skipped one says why it was skipped', () => {
    const { progressOf } = play(sampleChain([step('gate', checked), step('next')]), { unmet: ['gate'] })
    expect(progressOf('gate')).toMatchObject({ error: '', conditions: [{ met: false, error: 'not met' }] })
    expect(progressOf('next').error).toBe('upstream skipped')
  })
})

describe('limits', () => {
  test('delaySec passes before the first step and between two starts', () => {
    const { starts } = play(sampleDag([step('first'), step('second')], { delaySec: 2 }))
    expect(starts).toEqual({ first: [2000], second: [4000] })
  })

  test('delaySec does not space handlers', () => {
    const init = step('init', { retryPolicy: sampleRetry({ intervalSec: 1 }) })
    const { starts } = play(sampleDag([step('first')], { delaySec: 2, handlers: { init } }), {
      attempts: { onInit: [1, 0] },
    })
    expect(starts).toEqual({ onInit: [0, 1010], first: [2000] })
  })

  test('maxActiveSteps 1 runs the steps of a graph one at a time, in file order', () => {
    const behind = { dependsOn: ['prepare'] }
    const { starts } = play(
      sampleDag([step('prepare'), step('a', behind), step('b', behind), step('c', behind)], {
        maxActiveSteps: 1,
      }),
    )
    expect(starts).toEqual({ prepare: [0], a: [10], b: [20], c: [30] })
  })
})

describe('preconditions', () => {
  table({
    'a step whose conditions are met runs, one whose conditions are not is skipped': {
      dag: sampleDag([step('met', checked), step('unmet', checked)]),
      script: { unmet: ['unmet'] },
      status: 'success',
      others: ['unmet skipped'],
    },
    'the steps run when the condition of the DAG is met': {
      dag: sampleDag([step('one')], { preconditions: [sampleCondition] }),
      status: 'success',
    },
    'only the cancel and the exit handler run when the condition of the DAG is not met': {
      dag: sampleChain([step('one'), step('two')], {
        preconditions: [sampleCondition],
        handlers: Object.fromEntries(
          ['init', 'success', 'failure', 'cancel', 'exit'].map((kind) => [kind, step(kind)]),
        ),
      }),
      script: { runUnmet: true },
      status: 'cancelled',
      others: ['one not_started', 'two not_started'],
      handlers: { cancel: 'success', exit: 'success' },
    },
  })

  test('all conditions of a step must hold', () => {
    const both = { preconditions: [sampleCondition, sampleCondition] }
    expect(play(sampleDag([step('both', both)]), { unmet: ['both'] }).steps).toEqual({ both: 'skipped' })
  })
})

describe('child runs', () => {
  const call = step('call', sampleChild)
  table({
    'a failing child run fails its step and the run': {
      dag: sampleChain([call, step('after')]),
      script: { attempts: { call: [1] } },
      status: 'failed',
      others: ['call failed', 'after cancelled'],
    },
    'a failing child run may be tolerated': {
      dag: sampleChain([step('call', { ...sampleChild, ...tolerant }), step('after')]),
      script: { attempts: { call: [1] } },
      status: 'partial_success',
      others: ['call failed'],
    },
    'a partly successful child run makes a partial success': {
      dag: sampleChain([call, step('after')]),
      script: { attempts: { call: [{ partial: true }] } },
      status: 'partial_success',
    },
    'two child runs succeed side by side in a graph': {
      dag: sampleDag([
        step('left', sampleChild),
        step('right', sampleChild),
        step('both', { dependsOn: ['left', 'right'] }),
      ]),
      status: 'success',
    },
  })
})
