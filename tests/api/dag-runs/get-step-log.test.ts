import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'talk',
  `handlerOn:
  exit: {command: echo x}
steps:
  - {name: many, command: seq 30}
  - {name: "a b/c", command: echo}
  - {name: both, command: echo, logOutput: merged}
`,
)
const runId = await api.start('talk')
await api.claim()
const seq = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i).join('\n')
await api.writeLog(runId, 'many', 'stdout', `${seq(1, 30)}\n`)
await api.writeLog(runId, 'many', 'stderr', 'oops')
await api.writeLog(runId, 'a b/c', 'stdout', Buffer.from([0x66, 0xff, 0x00, 0x0a]))
await api.writeLog(runId, 'both', 'stdout', 'out and err\n')
await api.writeLog(runId, 'onExit', 'stdout', 'bye\n')
const log = (query = '', step = 'many') =>
  api.get(`/dag-runs/talk/${runId}/steps/${encodeURIComponent(step)}/log${query}`)

describe('200', () => {
  test('standard output is the default', async () => {
    expect((await log()).body).toEqual({
      content: seq(1, 30),
      lineCount: 30,
      totalLines: 30,
      hasMore: false,
      isEstimate: false,
      firstLine: 1,
      totalBytes: 81,
      position: '1-81',
      isOver: false,
    })
    expect((await log('?stream=stderr')).body).toMatchObject({ content: 'oops', lineCount: 1, totalLines: 1 })
  })

  test.each([
    ['?head=3', seq(1, 3), true],
    ['?head=30', seq(1, 30), false],
    ['?tail=3', seq(28, 30), true],
    ['?tail=500', seq(1, 30), false],
    ['?offset=28', seq(28, 30), false],
    ['?offset=10&limit=3', seq(10, 12), true],
    ['?limit=5', seq(1, 5), true],
    ['?tail=2&head=3&offset=1&limit=1', seq(29, 30), true],
    ['?head=2&offset=5&limit=9', seq(1, 2), true],
    ['?tail=0&head=-1&offset=0&limit=2', seq(1, 2), true],
    ['?offset=31', '', false],
    ['?limit=999999', seq(1, 30), false],
  ])('the window %s', async (query, content, hasMore) => {
    const lineCount = content === '' ? 0 : content.split('\n').length
    expect((await log(query)).body).toMatchObject({ content, hasMore, lineCount, totalLines: 30 })
  })

  test('a window has its first line, and the position after it for a stream', async () => {
    expect((await log('?tail=3')).body).toMatchObject({ firstLine: 28, position: '1-81' })
    expect((await log('?offset=9&limit=2')).body).toMatchObject({ firstLine: 9, position: '1-21' })
    expect((await log('?offset=31')).body).toMatchObject({ firstLine: 0, position: '1-81' })
    expect((await log('?stream=stderr')).body).toMatchObject({ firstLine: 1, position: '1-4', totalBytes: 4 })
  })

  test.each([
    ['lineBytes=4', 'a\nééé', 'a\néé', [{ line: 2, bytes: 2 }]],
    [
      'lineBytes=3',
      'abcd\nabc\n\nabcdefg\n',
      'abc\nabc\n\nabc',
      [
        { line: 1, bytes: 1 },
        { line: 4, bytes: 4 },
      ],
    ],
    ['lineBytes=3&offset=3', 'abcd\nabcd\nabcde\n', 'abc', [{ line: 3, bytes: 2 }]],
    ['lineBytes=9', 'abc\n', 'abc', undefined],
    [
      'lineBytes=2',
      `${'x'.repeat(2_000_000)}\nyyy\n`,
      'xx\nyy',
      [
        { line: 1, bytes: 1_999_998 },
        { line: 2, bytes: 1 },
      ],
    ],
  ])('%s cuts long lines and lists them', async (query, text, content, cut) => {
    const id = await api.start('talk')
    await api.claim()
    await api.writeLog(id, 'many', 'stdout', text)
    const { body } = await api.get<object>(`/dag-runs/talk/${id}/steps/many/log?${query}`)
    expect(body).toMatchObject({ content, ...(cut && { cut }) })
    expect('cut' in body).toBe(cut !== undefined)
  })

  test('the log of a finished step is over', async () => {
    const id = await api.start('talk')
    await api.finish(id, 'failed', { many: 'failed' })
    expect((await api.get(`/dag-runs/talk/${id}/steps/many/log`)).body).toMatchObject({ isOver: true })
  })

  test('a name may have blanks and slashes, and invalid bytes become replacement characters', async () => {
    expect((await log('', 'a b/c')).body).toMatchObject({ content: 'f\ufffd\u0000', lineCount: 1 })
  })

  test('handlers have logs, and merged output is one log', async () => {
    expect((await log('', 'onExit')).body).toMatchObject({ content: 'bye' })
    expect((await log('?stream=stderr', 'both')).body).toMatchObject({ content: 'out and err' })
  })
})

describe('200 with attempt', () => {
  test('an earlier attempt of the run stays readable', async () => {
    await api.createDag('again', 'steps:\n  - {name: one, command: "false"}\n')
    const id = await api.start('again')
    const path = `/dag-runs/again/${id}/steps/one/log`
    await api.claim()
    await api.writeLog(id, 'one', 'stdout', 'first try\n')
    await api.finish(id, 'failed', { one: 'failed' })
    expect((await api.post(`/dag-runs/again/${id}/retry`, {})).status).toBe(200)
    await api.claim()
    await api.writeLog(id, 'one', 'stdout', 'second try\n')
    await api.finish(id, 'failed', { one: 'failed' })
    const text = async (query: string) => (await api.get<{ content: string }>(path + query)).body.content
    expect(await text('')).toBe('second try')
    expect(await text('?attempt=1')).toBe('first try')
    expect(await text('?attempt=2&tail=1')).toBe('second try')
    expect(await text('?attempt=1&stream=stderr')).toBe('')
    expect(await api.get(`${path}?attempt=3`)).toMatchObject({
      status: 400,
      body: { message: 'attempt: the run has had 2 attempts, got 3' },
    })
  })
})

describe('400 bad_request', () => {
  test.each(['stream=stdin', 'tail=many', 'attempt=0', 'attempt=1.5', 'attempt=2', 'lineBytes=0'])(
    'the query %s',
    async (query) => {
      expect(await log(`?${query}`)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    },
  )
})

describe('404 not_found', () => {
  test('an unknown step, handler or run; a step name with .. is 400', async () => {
    expect(await log('', 'nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await log('', 'onFailure')).status).toBe(404)
    expect((await log('', '../../etc/passwd')).status).toBe(400)
    expect((await api.get('/dag-runs/talk/zzz/steps/many/log')).status).toBe(404)
  })
})
