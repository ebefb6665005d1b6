import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database

interface Why {
  readonly status: number
  readonly reasons: {
    rule: string
    text: string
    step?: string
    runs?: { name: string; dagRunId: string }[]
  }[]
}

const why = async (name: string, id: string): Promise<Why> =>
  (await api.get<Why>(`/dag-runs/${name}/${id}/why`)).body

/** A live runner with these labels. */
async function register(id: string, labels: object, slots: number): Promise<void> {
  await db.sql`
    insert into millrace.worker (id, labels, slots) values (${id}, ${JSON.stringify(labels)}::text::jsonb, ${slots})
    on conflict (id) do update set heartbeat_at = now(), slots = excluded.slots`
}

describe('200', () => {
  test('a queued run names the active runs of its queue', async () => {
    await api.createDag('narrow')
    const [first, second, third] = [
      await api.enqueue('narrow'),
      await api.enqueue('narrow'),
      await api.enqueue('narrow'),
    ]
    const { status, reasons } = await why('narrow', third)
    expect(status).toBe(5)
    expect(reasons).toEqual([
      {
        rule: 'queue_full',
        text: `the queue narrow allows 1 active run: narrow ${first}; 1 queued before this one`,
        runs: [{ name: 'narrow', dagRunId: first }],
      },
    ])
    await api.finish(first, 'success')
    await api.finish(second, 'success')
    await api.finish(third, 'success')
  })

  test('a run that no runner claims names the labels that no runner has', async () => {
    await api.createDag('picky', 'workerSelector: {gpu: "yes"}\nsteps:\n  - echo\n')
    const id = await api.start('picky')
    expect((await why('picky', id)).reasons).toEqual([
      { rule: 'no_runner', text: 'no runner with the label gpu=yes is alive' },
    ])
    await register('big', { gpu: 'yes' }, 0)
    expect((await why('picky', id)).reasons).toEqual([
      { rule: 'runners_busy', text: 'the 1 runner that may claim it have no free slot' },
    ])
    await register('big', { gpu: 'yes' }, 2)
    expect((await why('picky', id)).reasons[0]?.rule).toBe('waiting_for_runner')
  })

  test('an active run names its steps, the children that they wait for, and a stop', async () => {
    await api.createDag('parent')
    const id = await api.start('parent')
    await api.startChild(id, { dagName: 'kid', runId: 'kid-1', step: 'call' })
    await db.sql`
      insert into millrace.dag_run_step (run_key, name, place, status, phase, wait_until)
      select run_key, step.name, step.place, 'running', step.phase, step.wait_until::timestamptz
      from millrace.dag_run,
        (values
          ('call', 0, 'executing', null),
          ('shaky', 1, 'waiting', '2030-01-01T00:00Z'),
          ('work', 2, 'executing', null)
        ) as step (name, place, phase, wait_until)
      where run_id = ${id}`
    expect((await why('parent', id)).reasons).toEqual([
      {
        rule: 'waiting_for_child',
        step: 'call',
        text: 'call waits for kid kid-1 (not_started)',
        runs: [{ name: 'kid', dagRunId: 'kid-1' }],
      },
      {
        rule: 'waiting_for_retry',
        step: 'shaky',
        text: 'shaky is executed again at 2030-01-01T00:00:00.000Z',
      },
      { rule: 'executing', step: 'work', text: 'work is being executed' },
    ])
    await api.post(`/dag-runs/parent/${id}/stop`)
    expect((await why('parent', id)).reasons[0]?.rule).toBe('stopping')
  })

  test('a finished run names failed steps, and skipped steps with their condition', async () => {
    const maybe = '{name: maybe, command: echo, preconditions: [{condition: test -e /x}]}'
    const spec = `steps:\n  - {name: bad, command: "false"}\n  - ${maybe}\n`
    await api.createDag('ended', spec)
    const id = await api.start('ended')
    await api.finish(id, 'failed', { bad: 'failed', maybe: 'skipped' })
    await db.sql`
      update millrace.dag_run_step set conditions = '[{"met": false, "error": "exit status 1"}]'
      where name = 'maybe'`
    const { reasons } = await why('ended', id)
    expect(reasons.map(({ rule, step }) => [rule, step])).toEqual([
      ['step_failed', 'bad'],
      ['precondition_unmet', 'maybe'],
    ])
    expect(reasons[1]?.text).toBe('maybe was skipped: its condition "test -e /x" did not hold: exit status 1')
  })

  test('a run that succeeded says so', async () => {
    await api.createDag('well')
    const id = await api.start('well')
    await api.finish(id, 'success')
    expect((await why('well', 'latest')).reasons).toEqual([
      { rule: 'ended', text: 'the run has ended: success' },
    ])
  })
})

describe('400 bad_request', () => {
  test('an id that no run can have', async () => {
    expect((await api.get('/dag-runs/well/a%20b/why')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown run', async () => {
    expect((await api.get('/dag-runs/well/none/why')).status).toBe(404)
  })
})
