import { expect, test } from 'vitest'
import type { ApiDeps } from '#functions/api/index.ts'
import { limits } from '#lib/core/limits.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import { createPostgresLogStore } from '#lib/logs/postgres-log-store.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('long', 'steps:\n  - {name: work, command: echo}\n')

interface Chunk {
  readonly content: string
  readonly lineCount: number
  readonly totalLines: number
  readonly hasMore: boolean
}

async function logOf(text: string | Uint8Array): Promise<string> {
  const runId = await api.start('long')
  await api.claim()
  await api.writeLog(runId, 'work', 'stdout', text)
  return `/dag-runs/long/${runId}/steps/work/log`
}

const line = '"quoted\\" \u0001 tab\t é € 😀 '.repeat(5_000)

test('a long line of any characters is returned as written', async () => {
  const path = await logOf(`first\n${line}\nlast`)
  const { status, headers, body } = await api.get<Chunk>(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(body).toMatchObject({
    content: `first\n${line}\nlast`,
    lineCount: 3,
    totalLines: 3,
    hasMore: false,
    isEstimate: false,
  })
  expect((await api.get<Chunk>(`${path}?offset=2&limit=1`)).body).toMatchObject({
    content: line,
    hasMore: true,
  })
  expect((await api.call('HEAD', path)).body).toBe('')
})

test('invalid bytes become replacement characters, even at the seams of a long log', async () => {
  const bytes = Buffer.concat([Buffer.alloc(200_000, 0xe2), Buffer.from('\u{feff}end')])
  const { body } = await api.get<Chunk>(await logOf(bytes))
  expect(body.content).toBe(bytes.toString('utf8'))
})

test('the old version of the API returns a long log too', async () => {
  const path = await logOf(`${line}\n`)
  const file = path.split('/')[3]
  const { status, body } = await api.get<{ Title: string; StepLog: { Content: string; Step: string } }>(
    `/api/v1/dags/long?tab=log&step=work&file=${file}`,
  )
  expect([status, body.Title, body.StepLog.Step]).toEqual([200, 'long', 'work'])
  expect(body.StepLog.Content).toBe(line)
})

test('a response is limited to whole lines, and a longer line is cut with a mark', async () => {
  const half = 'x'.repeat(limits.logWindowBytesMax / 2)
  const path = await logOf(`${half}\n${half}\n${half}${half}${half}\nend\n`)
  const first = await api.get<Chunk>(path)
  expect(first.body).toMatchObject({ lineCount: 1, totalLines: 4, hasMore: true })
  expect(first.body.content === half).toBe(true)
  const cut = await api.get<Chunk>(`${path}?offset=3`)
  expect(cut.body).toMatchObject({ lineCount: 1, totalLines: 4, hasMore: true })
  expect(cut.body.content.startsWith(half + half)).toBe(true)
  expect(cut.body.content.slice(half.length * 2)).toBe(
    ` [the line is cut here: ${half.length} bytes follow, which its stream has (/log/stream)]`,
  )
  expect((await api.get<Chunk>(`${path}?tail=2`)).body).toMatchObject({
    content: 'end',
    lineCount: 1,
    hasMore: true,
  })
})

test('a log is read only as fast as the client takes it, and not after the client disconnects', async () => {
  let [read, isOpen] = [0, false]
  const counting = (logs: LogStore): LogStore => ({
    ...logs,
    async *read(key, from) {
      isOpen = true
      try {
        for await (const piece of logs.read(key, from)) {
          read += piece.length
          yield piece
        }
      } finally {
        isOpen = false
      }
    },
  })
  const path = await logOf('x'.repeat(8_000_000))
  const { logs } = api.parts
  const reader = (await api.with({ logs: counting(logs) }).open(path)).body?.getReader()
  await reader?.read()
  expect([read < 300_000, isOpen]).toEqual([true, true])
  await reader?.cancel()
  expect(isOpen).toBe(false)
})

test('a caller may read only a number of long logs at the same time', async () => {
  const path = await logOf('x'.repeat(200_000))
  const token: ApiDeps['auth'] = { basic: undefined, token: 'a-token-of-the-tests' }
  const one = api.with({ auth: token, isOneInstance: true })
  const headers = { authorization: 'Bearer a-token-of-the-tests' }
  const open = await Promise.all(
    Array.from({ length: limits.logReadersPerCallerMax }, () => one.open(path, headers)),
  )
  expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]))
  const refused = await one.open(path, headers)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await refused.json()).toMatchObject({ code: 'service_unavailable' })
  await open[0]?.text()
  expect(await (await one.open(path, headers)).text()).toContain('xxx')
  for (const response of open.slice(1)) await response.body?.cancel()
})

test('logs in Postgres are sent in pieces too', async () => {
  const logs = createPostgresLogStore(api.database.db)
  const runId = await api.start('long')
  const [run] = await api.database.db.sql<{ key: string }[]>`
    select run_key::text as key from millrace.dag_run where run_id = ${runId}`
  const key = { runKey: run?.key ?? '', attempt: 1, step: 'work', stream: 'stdout' } as const
  const pieces = Array.from(
    { length: 20 },
    (_, index) => `${index} ${'é'.repeat(50_000)}${index % 3 === 0 ? '\n' : ''}`,
  )
  for (const [sequence, piece] of pieces.entries()) await logs.append(key, sequence, Buffer.from(piece))
  const { body } = await api.with({ logs }).get<Chunk>(`/dag-runs/long/${runId}/steps/work/log`)
  expect(body.content).toBe(pieces.join(''))
  expect(body).toMatchObject({ lineCount: 8, totalLines: 8, hasMore: false })
})
