import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('job')
const runId = await api.start('job')
await api.claim()
const filler = 'x'.repeat(3_000)
const lines = [
  'Error: one',
  'fine',
  `${filler}error${filler}`,
  `${'y'.repeat(70_000)} error`,
  '',
  'last ERROR (1+1)',
]
await api.writeLog(runId, 'work', 'stdout', lines.join('\n'))
const path = (query: string, step = 'work') => `/dag-runs/job/${runId}/steps/${step}/log/search?${query}`

interface Found {
  readonly line?: number
  readonly text?: string
  readonly at?: [number, number]
  readonly done?: boolean
}
async function search(query: string): Promise<Found[]> {
  const answer = await api.open(path(query))
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
  const text = await answer.text()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Found)
}
const matched = ({ text = '', at: [start, end] = [0, 0] }: Found): string => text.slice(start, end)

describe('200', () => {
  test.each([
    ['q=error', [1, 3, 6], ['Error', 'error', 'ERROR']],
    ['q=error&case=true', [3], ['error']],
    ['q=(1%2B1)', [6], ['(1+1)']],
    ['q=%5CbE%5Cw%2B&regex=true&case=true', [1, 6], ['Error', 'ERROR']],
    ['q=^$&regex=true', [5], ['']],
    ['q=error&from=4', [6], ['ERROR']],
    ['q=error&from=99', [], []],
    ['q=nowhere', [], []],
  ])('the lines that match %s', async (query, numbers, words) => {
    const found = await search(query)
    const end = found.pop()
    expect(found.map(({ line }) => line)).toEqual(numbers)
    expect(found.map(matched)).toEqual(words)
    expect(end).toMatchObject({ done: true, matches: numbers.length })
  })

  test('a long line is cut to the part around the match', async () => {
    const [found] = await search('q=error&case=true')
    expect(found?.text).toHaveLength(1_000)
  })

  test('the next search continues where the answer ended', async () => {
    const first = await search('q=error&limit=1')
    expect(first).toEqual([
      expect.objectContaining({ line: 1 }),
      { done: false, matches: 1, scannedLines: 1, next: 2 },
    ])
    expect(await search('q=error&limit=2&from=2')).toMatchObject([{ line: 3 }, { line: 6 }, { done: true }])
  })
})

test('an expensive search does not block other calls', async () => {
  const run = await api.start('job')
  await api.claim()
  await api.writeLog(run, 'work', 'stdout', `${'a'.repeat(16_384)}\n`.repeat(40))
  const query = String.raw`q=${encodeURIComponent(String.raw`\pL{290}[!?]`)}&regex=true`
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  await (await api.open(`/dag-runs/job/${run}/steps/work/log/search?${query}`)).text()
  histogram.disable()
  expect(histogram.percentile(50) / 1e6).toBeLessThan(60)
})

describe('400 bad_request', () => {
  test.each([
    'q=',
    'q=(&regex=true',
    'q=(.{0,100}){0,9}x&regex=true',
    `q=${'a'.repeat(257)}`,
    'q=a&limit=0',
    'q=a&from=0',
    'q=a&attempt=7',
  ])('the query %s', async (query) => {
    expect((await api.get(path(query))).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown step', async () => {
    expect((await api.get(path('q=a', 'nothing'))).status).toBe(404)
  })
})

describe('503 service_unavailable', () => {
  test('a third concurrent search of a caller, while other callers may still search', async () => {
    const [token, basic] = ['the-token-of-the-settings', { username: 'ann', password: 'quiet-otter-4711' }]
    const one = api.with({ isOneInstance: true, auth: { basic, token } })
    const search = (authorization = `Bearer ${token}`) => one.open(path('q=error'), { authorization })
    const open = await Promise.all([search(), search()])
    const refused = await search()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    const other = `Basic ${Buffer.from('ann:quiet-otter-4711').toString('base64')}`
    expect((await search(other)).status).toBe(200)
    await Promise.all(open.map((answer) => answer.text()))
    expect((await search()).status).toBe(200)
  })
})
