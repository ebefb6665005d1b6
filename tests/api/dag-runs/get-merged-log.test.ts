import { afterAll, describe, expect, test, vi } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('pair', 'steps:\n  - {name: a, command: one}\n  - {name: b, command: two}\n')
const run = await api.start('pair')
await api.claim()
await api.database.db.sql`
  insert into millrace.dag_run_step (run_key, name, place, status, phase, started_at)
  select run_key, name, place, 'running', 'executing', now()
  from millrace.dag_run, (values ('a', 0), ('b', 1)) as step (name, place) where run_id = ${run}`
const path = (query = '') => `/dag-runs/pair/${run}/log/steps${query}`

vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())
const begin = Date.now()
let sequences = 0
/** Stores a part of a log, so many seconds after the start. */
async function write(seconds: number, step: string, text: string, stream: 'stdout' | 'stderr' = 'stdout') {
  vi.setSystemTime(begin + 1_000 * seconds)
  await api.writeLog(run, step, stream, text, sequences++)
}
await write(0, 'a', 'a1\na2\nhalf ')
await write(0, 'b', 'b1\n')
await write(2, 'b', 'b2\n')
await write(4, 'a', 'a3\na4\n')
await write(5, 'b', 'e1\n', 'stderr')
await write(6, 'b', 'b3\n')
await write(7, 'b', 'e2\n', 'stderr')

interface Row {
  readonly at?: number
  readonly step?: string
  readonly stream?: string
  readonly line?: number
  readonly text?: string
  readonly done?: boolean
  readonly next?: string
}
async function read(query = ''): Promise<{ lines: Row[]; end: Row }> {
  const answer = await api.open(path(query))
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
  const rows = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Row)
  return { end: rows.pop() ?? {}, lines: rows }
}
const texts = (rows: readonly Row[]) => rows.map(({ text }) => text)
const all = ['a1', 'a2', 'half a3', 'b1', 'b2', 'a4', 'e1', 'b3', 'e2']

describe('the log of an active run', () => {
  test('holds back the last three seconds, which come with a later read', async () => {
    vi.setSystemTime(begin + 6_500)
    const { lines, end } = await read()
    expect(texts(lines)).toEqual(['a1', 'a2', 'half a3', 'b1', 'b2'])
    expect(end.done).toBe(true)
    vi.setSystemTime(begin + 20_000)
    expect(texts((await read(`?from=${end.next}`)).lines)).toEqual(['a4', 'e1', 'b3', 'e2'])
  })
})

describe('200', () => {
  test('each line has its step, its number in that log and its time, in order of time', async () => {
    vi.setSystemTime(begin + 20_000)
    const { lines } = await read()
    expect(texts(lines)).toEqual(all)
    expect(lines[2]).toMatchObject({ step: 'a', stream: 'stdout', line: 3, at: begin })
    expect(lines[5]).toMatchObject({ step: 'a', line: 4, at: begin + 4_000 })
    expect(lines[8]).toMatchObject({ step: 'b', stream: 'stderr', line: 2, at: begin + 7_000 })
  })

  test.each([1, 2, 4])('answers of %i lines contain each line once', async (limit) => {
    const seen: Row[] = []
    let from: string | undefined
    for (let isDone = false; !isDone;) {
      const { lines, end } = await read(`?limit=${limit}${from === undefined ? '' : `&from=${from}`}`)
      expect(lines.length).toBeLessThanOrEqual(limit)
      seen.push(...lines)
      from = end.next
      isDone = end.done === true
    }
    expect(texts(seen)).toEqual(all)
  })

  test('the last lines come first, then new ones', async () => {
    const { lines, end } = await read('?tail=3')
    expect(texts(lines)).toEqual(['e1', 'b3', 'e2'])
    await write(30, 'a', 'a5\n')
    vi.setSystemTime(begin + 40_000)
    expect(texts((await read(`?from=${end.next}`)).lines)).toEqual(['a5'])
  })

  test('the log can be limited to one step or one stream', async () => {
    expect(texts((await read('?step=b')).lines)).toEqual(['b1', 'b2', 'e1', 'b3', 'e2'])
    expect(texts((await read('?stream=stderr')).lines)).toEqual(['e1', 'e2'])
  })

  test('a run that has written nothing has no lines', async () => {
    const quiet = await api.start('pair')
    const answer = await api.open(`/dag-runs/pair/${quiet}/log/steps`)
    expect(await answer.text()).toBe('{"done":true}\n')
  })
})

describe('400 bad_request', () => {
  test.each(['?from=x', '?tail=0', '?limit=99999', '?stream=both', '?attempt=7'])(
    'the query %s',
    async (query) => {
      expect((await api.get(path(query))).status).toBe(400)
    },
  )
})

describe('404 not_found', () => {
  test('a step, or a run, that is unknown', async () => {
    expect((await api.get(path('?step=z'))).status).toBe(404)
    expect((await api.get('/dag-runs/pair/none/log/steps')).status).toBe(404)
  })
})
