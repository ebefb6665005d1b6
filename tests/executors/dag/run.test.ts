import { describe, expect, test } from 'vitest'
import type { ChildCall } from '#lib/definition/definition.ts'
import type { ChildEnd, ChildRequest, ChildRuns } from '#lib/executors/dag/child-runs.ts'
import { runChildCall, type ChildCallOutcome } from '#lib/executors/dag/run.ts'

/** Child runs that end as the test says; without an answer they succeed. */
class Nursery implements ChildRuns {
  readonly begun: ChildRequest[] = []
  readonly stopped: string[] = []
  underWay = 0
  most = 0
  readonly answer: (request: ChildRequest) => Partial<ChildEnd> | Promise<Partial<ChildEnd>>

  constructor(
    answer: (request: ChildRequest) => Partial<ChildEnd> | Promise<Partial<ChildEnd>> = () => ({}),
  ) {
    this.answer = answer
  }

  begin = async (request: ChildRequest): Promise<void> => {
    await Promise.resolve()
    if (request.dag === 'unknown') throw new Error('DAG "unknown" not found')
    this.begun.push(request)
  }

  ended = async (runId: string): Promise<ChildEnd> => {
    const request = this.begun.find((one) => one.runId === runId)
    if (request === undefined) throw new Error('never begun')
    this.most = Math.max(this.most, ++this.underWay)
    const answer = await this.answer(request)
    this.underWay--
    return {
      dagName: request.dag,
      runId,
      status: 'success',
      params: request.params ?? '',
      outputs: {},
      ...answer,
    }
  }

  stop = (runId: string): Promise<void> => {
    this.stopped.push(runId)
    return Promise.resolve()
  }
}

interface Called {
  outcome: ChildCallOutcome
  output: unknown
  nursery: Nursery
}

async function call(
  given: Partial<ChildCall>,
  options: { nursery?: Nursery; variables?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Called> {
  const nursery = options.nursery ?? new Nursery()
  let output = ''
  const outcome = await runChildCall({
    call: { dag: 'helper', params: undefined, parallel: undefined, ...given },
    step: 'call',
    iteration: 0,
    parentRunId: 'parent',
    scope: { variables: new Map(Object.entries(options.variables ?? {})), positional: [], steps: new Map() },
    run: (command) => Promise.resolve(`ran ${command}`),
    children: nursery,
    stdout: (bytes) => {
      output += Buffer.from(bytes).toString()
      return undefined
    },
    signal: options.signal ?? new AbortController().signal,
  })
  return { outcome, output: JSON.parse(output), nursery }
}

const items = (...list: string[]): Partial<ChildCall> => ({ parallel: { items: list, maxConcurrent: 10 } })

describe('one child', () => {
  test('gives its result as the output of the step', async () => {
    const nursery = new Nursery(() => ({ outputs: { SAID: 'hello' } }))
    const { outcome, output } = await call({ params: 'TOOL=rake' }, { nursery })
    expect(outcome).toEqual({ exitCode: 0, error: '', partial: false })
    expect(output).toEqual({
      name: 'helper',
      dagRunId: nursery.begun[0]?.runId,
      params: 'TOOL="rake"',
      outputs: { SAID: 'hello' },
      status: 'succeeded',
    })
  })

  test('gets a value with blanks, quotes and equals signs as one param', async () => {
    const { nursery } = await call({ params: 'WHO=${WHO} "${WHO}"' }, { variables: { WHO: 'a "b" X=1' } })
    expect(nursery.begun[0]?.params).toBe('WHO="a \\"b\\" X=1" "a \\"b\\" X=1"')
  })

  test('gets the value of a single reference as all its params', async () => {
    const { nursery } = await call({ params: '${ALL}' }, { variables: { ALL: '{"A":"1"}' } })
    expect(nursery.begun[0]?.params).toBe('{"A":"1"}')
  })

  test('may be named by a variable', async () => {
    const { nursery } = await call({ dag: '${WHICH}' }, { variables: { WHICH: 'other' } })
    expect(nursery.begun[0]?.dag).toBe('other')
  })

  test('fails the step if it fails, and passes partial success on', async () => {
    const failed = await call({}, { nursery: new Nursery(() => ({ status: 'failed' })) })
    expect(failed.outcome).toMatchObject({ exitCode: 1, partial: false })
    expect(failed.outcome.error).toContain('helper')
    const partly = await call({}, { nursery: new Nursery(() => ({ status: 'partial_success' })) })
    expect(partly.outcome).toEqual({ exitCode: 0, error: '', partial: true })
  })

  test('fails the step with the reason if it cannot start', async () => {
    await expect(call({ dag: 'unknown' })).rejects.toThrow('DAG "unknown" not found')
  })

  test('has the same id for the same call only', async () => {
    const ids = await Promise.all(
      [{}, {}, { params: 'A=1' }, { dag: 'other' }].map(
        async (given) => (await call(given)).nursery.begun[0]?.runId,
      ),
    )
    expect(ids[0]).toBe(ids[1])
    expect(new Set(ids).size).toBe(3)
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('a fan-out', () => {
  test('runs one child per item and summarizes the results', async () => {
    const nursery = new Nursery(({ params }) => ({
      status: params?.includes('bad') === true ? 'failed' : 'success',
      outputs: { P: params ?? '' },
    }))
    const { outcome, output } = await call({ ...items('good', 'bad'), params: 'ITEM=${ITEM}' }, { nursery })
    expect(outcome.exitCode).toBe(1)
    expect(outcome.error).toContain('1 of 2 child runs did not succeed')
    expect(output).toMatchObject({
      summary: { total: 2, succeeded: 1, failed: 1 },
      results: [{ status: 'succeeded' }, { status: 'failed' }],
      outputs: [{ P: 'ITEM="good"' }],
    })
  })

  test('passes each item as the params of its child if it has no params', async () => {
    const { nursery } = await call(items('ten', 'A=1 B=x', '{"host":"web1"}'))
    expect(nursery.begun.map((one) => one.params)).toEqual(['ten', 'A=1 B=x', '{"host":"web1"}'])
  })

  test('reaches members of object items by path', async () => {
    const { nursery } = await call({
      ...items('{"host":"web1","port":81}'),
      params: 'ADDRESS=${ITEM.host}:${ITEM.port}',
    })
    expect(nursery.begun[0]?.params).toBe('ADDRESS="web1:81"')
  })

  test('takes its items from a variable', async () => {
    const parallel = { items: '${BIRDS}', maxConcurrent: 10 }
    const { nursery } = await call({ parallel }, { variables: { BIRDS: '["rook", "crow"]' } })
    expect(nursery.begun.map((one) => one.params)).toEqual(['rook', 'crow'])
  })

  test('runs equal items once', async () => {
    expect((await call(items('a', 'a', 'b'))).nursery.begun).toHaveLength(2)
  })

  test('runs at most maxConcurrent children at a time', async () => {
    const nursery = new Nursery(async () => {
      await new Promise(setImmediate)
      return {}
    })
    await call({ parallel: { items: ['a', 'b', 'c', 'd', 'e'], maxConcurrent: 2 } }, { nursery })
    expect(nursery.most).toBe(2)
    expect(nursery.begun).toHaveLength(5)
  })

  test('fails without items', async () => {
    await expect(call({ parallel: { items: '${NONE}', maxConcurrent: 1 } })).rejects.toThrow('no items')
  })

  test('stops its children when it is stopped, starts no more, and waits for those in progress', async () => {
    const controller = new AbortController()
    const nursery = new Nursery(async () => {
      controller.abort('stopped')
      await new Promise(setImmediate)
      return { status: 'cancelled' }
    })
    const parallel = { items: ['a', 'b', 'c'], maxConcurrent: 1 }
    const { outcome } = await call({ parallel }, { nursery, signal: controller.signal })
    expect(nursery.begun).toHaveLength(1)
    expect(nursery.stopped).toContain(nursery.begun[0]?.runId)
    expect(outcome.exitCode).toBe(1)
  })
})
