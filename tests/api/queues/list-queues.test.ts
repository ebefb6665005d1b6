import { describe, expect, test } from 'vitest'
import { controlQueue } from '#lib/queues/control-queue.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
type Queue = { name: string; runningDAGRuns: { dagRunId: string }[]; queuedDAGRuns: { dagRunId: string }[] }
const queues = async () => (await api.get<{ queues: Queue[] }>('/queues')).body.queues

describe('200', () => {
  test('there are no queues of DAGs without runs', async () => {
    expect(await queues()).toEqual([])
  })

  test('a queue shows running and waiting runs, the oldest first', async () => {
    await api.createDag('line')
    const first = await api.enqueue('line')
    await api.claim()
    const second = await api.enqueue('line')
    const third = await api.enqueue('line')
    expect(await queues()).toEqual([
      {
        name: 'line',
        type: 'dag-based',
        summary: { running: 1, queued: 2, total: 3 },
        used: 1,
        limit: 1,
        waiting: 2,
        oldestWaitMs: expect.any(Number),
        oldestQueuedAtMs: expect.any(Number),
        paused: false,
        runningDAGRuns: [
          {
            dagRunId: first,
            name: 'line',
            status: 1,
            statusLabel: 'running',
            startedAt: expect.any(String),
            finishedAt: '',
            log: expect.any(String),
          },
        ],
        queuedDAGRuns: [
          expect.objectContaining({ dagRunId: second, status: 5, startedAt: '' }),
          expect.objectContaining({ dagRunId: third }),
        ],
        running: [expect.objectContaining({ dagRunId: first, rootDAGRunId: first, workerId: 'test-runner' })],
        queued: [
          expect.objectContaining({ dagRunId: second, params: '', triggerType: 'manual' }),
          expect.objectContaining({ dagRunId: third }),
        ],
      },
    ])
  })

  test('a configured queue is listed even when it is empty, with its limit, and all are sorted', async () => {
    await api.database.db.sql`insert into millrace.queue (name, max_concurrency) values ('a-custom', 2)`
    expect(await queues()).toEqual([
      {
        name: 'a-custom',
        type: 'custom',
        maxConcurrency: 2,
        summary: { running: 0, queued: 0, total: 0 },
        used: 0,
        limit: 2,
        waiting: 0,
        paused: false,
        runningDAGRuns: [],
        queuedDAGRuns: [],
        running: [],
        queued: [],
      },
      expect.objectContaining({ name: 'line' }),
    ])
    expect((await api.get('/queues')).body).toMatchObject({
      summary: {
        totalQueues: 2,
        totalRunning: 1,
        totalQueued: 2,
        totalCapacity: 3,
        utilizationPercentage: 100 / 3,
      },
    })
  })
})

describe('200 with summary=true', () => {
  test('the queues are listed without their runs, with the starts of the last hour', async () => {
    const [whole, short] = await Promise.all([
      api.get<{ queues: object[]; summary: object }>('/queues'),
      api.get<{ queues: object[]; summary: object }>('/queues?summary=true'),
    ])
    const starts = [0, 1]
    expect(short.body.queues).toEqual(
      whole.body.queues.map((queue, index) => ({
        ...queue,
        ...('oldestWaitMs' in queue && { oldestWaitMs: expect.any(Number) as number }),
        startsLastHour: starts[index],
        runningDAGRuns: [],
        queuedDAGRuns: [],
        running: [],
        queued: [],
      })),
    )
    expect(short.body.summary).toEqual(whole.body.summary)
  })

  test('a paused queue is listed even when it is empty', async () => {
    await api.createDag('idle')
    await controlQueue(api.database.db, 'idle', { paused: true, by: 'ann' })
    const { body } = await api.get<{ queues: object[] }>('/queues?summary=true')
    expect(body.queues).toContainEqual(
      expect.objectContaining({
        name: 'idle',
        paused: true,
        pausedBy: 'ann',
        pausedAt: expect.stringMatching(/^20/) as string,
      }),
    )
  })
})

describe('400 bad_request', () => {
  test('a value other than true and false', async () => {
    expect(await api.get('/queues?summary=yes')).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })
})
