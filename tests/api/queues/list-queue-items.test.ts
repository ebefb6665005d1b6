import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('line')

interface Page {
  readonly items: readonly {
    readonly dagRunId: string
    readonly position?: number
    readonly waitedMs?: number
  }[]
  readonly nextCursor?: string
  readonly why?: { readonly rule: string; readonly text: string }
}
const items = async (query = '') => (await api.get<Page>(`/queues/line/items${query}`)).body

const [running, ...waiting] = [
  await api.enqueue('line'),
  await api.enqueue('line'),
  await api.enqueue('line'),
  await api.enqueue('line'),
  await api.enqueue('line'),
]
await api.claim()
await api.database.db.sql`
  update millrace.dag_run set priority = 3, queued_at = queued_at - interval '1 hour'
  where run_id = ${waiting[3] ?? ''}`
/** In the order of promotion. */
const inOrder = [waiting[3], waiting[0], waiting[1], waiting[2]]

describe('200', () => {
  test('waiting runs have a position and a wait, and the first page explains why the head waits', async () => {
    const { items: rows, why, nextCursor } = await items()
    expect(rows.map(({ dagRunId, position }) => [dagRunId, position])).toEqual(
      inOrder.map((id, index) => [id, index + 1]),
    )
    expect(rows[0]?.waitedMs).toBeGreaterThanOrEqual(3_600_000)
    expect(rows[1]?.waitedMs).toBeLessThan(3_600_000)
    expect(why).toMatchObject({
      rule: 'queue_full',
      text: expect.stringContaining(`line ${running}`) as string,
    })
    expect(nextCursor).toBeUndefined()
  })

  test('positions continue across pages, even at a change of priority', async () => {
    const seen: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await items(`?limit=1${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      seen.push(...page.items.map(({ dagRunId, position }) => [dagRunId, position]))
      expect(page.why === undefined).toBe(cursor !== undefined)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual(inOrder.map((id, index) => [id, index + 1]))
  })

  test('a running run has no position, and a wait until its start', async () => {
    const { items: rows, why } = await items('?state=running')
    expect(rows).toMatchObject([{ dagRunId: running, status: 1, waitedMs: expect.any(Number) as number }])
    expect(rows[0]).not.toHaveProperty('position')
    expect(why).toBeUndefined()
  })

  test('a run that was never queued has no wait', async () => {
    const started = await api.start('line')
    const { items: rows } = await items('?state=running&limit=1')
    expect(rows).toHaveLength(1)
    const all = await items('?state=running')
    expect(all.items.find(({ dagRunId }) => dagRunId === started)).not.toHaveProperty('waitedMs')
  })

  test('an unknown queue is empty', async () => {
    expect((await api.get('/queues/ghost/items')).body).toEqual({ items: [] })
  })
})

describe('400 bad_request', () => {
  test.each(['?state=done', '?limit=0', '?limit=1001', '?cursor=nonsense'])('the query %s', async (query) => {
    expect(await api.get(`/queues/line/items${query}`)).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    })
  })
})
