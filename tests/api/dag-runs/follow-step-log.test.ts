import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import type { SeenEvent } from '#tests/support/event-source.ts'

const api = await testApi()
await api.createDag('job')
const path = (run: string, query = '') => `/dag-runs/job/${run}/steps/work/log/stream${query}`

/** The text of the events: a part continues in the next event. */
const textOf = (events: readonly SeenEvent[]): string =>
  events
    .map(({ event, data }) => {
      const { lines = [], text = '' } = data as { lines?: string[]; text?: string }
      return event === 'lines' ? lines.map((line) => `${line}\n`).join('') : text
    })
    .join('')

describe('200', () => {
  test('each line comes once and whole, however it was written', async () => {
    const run = await api.start('job')
    await api.claim()
    const events = await api.follow(path(run))
    await api.writeLog(run, 'work', 'stdout', 'one\r10 %\rtwo\nthr')
    expect(await events.next()).toMatchObject({ data: { lines: ['one\r10 %\rtwo'] } })
    await api.writeLog(run, 'work', 'stdout', 'ee\n\nlast, without an end', 1)
    expect(await events.next()).toMatchObject({ data: { lines: ['three', ''] } })
    await api.finish(run, 'success', { work: 'success' })
    expect(await events.rest()).toMatchObject([
      { event: 'lines', data: { lines: ['last, without an end'] } },
      { event: 'end' },
    ])
  })

  test('the stream begins with the last lines, or after a position', async () => {
    const run = await api.start('job')
    await api.claim()
    await api.writeLog(run, 'work', 'stdout', 'one\ntwo\nthree\n')
    const fromTail = await api.follow(path(run, '?tail=2'))
    expect(await fromTail.next()).toMatchObject({ data: { lines: ['two', 'three'] } })
    const read = await api.get<{ position: string }>(`/dag-runs/job/${run}/steps/work/log?head=1`)
    const behind = await api.follow(path(run, `?position=${read.body.position}`))
    expect(await behind.next()).toMatchObject({ data: { lines: ['two', 'three'] } })
    const back = await api.follow(path(run, '?tail=1'), '1-0')
    expect(await back.next()).toMatchObject({ data: { lines: ['one', 'two', 'three'] } })
    await Promise.all([fromTail, behind, back].map((events) => events.close()))
  })

  test('standard error has a stream of its own', async () => {
    const run = await api.start('job')
    await api.claim()
    await api.writeLog(run, 'work', 'stderr', 'oh\n')
    const events = await api.follow(path(run, '?stream=stderr'))
    expect(await events.next()).toMatchObject({ data: { lines: ['oh'] } })
    await events.close()
  })

  test('a client that disconnects anywhere continues there and gets every byte once', async () => {
    const run = await api.start('job')
    await api.claim()
    const long = `${'é€😀'.repeat(30_000)}\n`
    const text = `${Array.from({ length: 3_000 }, (_, n) => `line ${n}`).join('\n')}\n${long}after\n`
    await api.writeLog(run, 'work', 'stdout', text)
    await api.finish(run, 'success', { work: 'success' })
    const seen: SeenEvent[] = []
    while (textOf(seen).length < text.length) {
      const events = await api.with({}).follow(path(run), seen.at(-1)?.id)
      seen.push((await events.next()) ?? expect.fail('the stream ended early'))
      await events.close()
    }
    expect(seen.length).toBeGreaterThan(4)
    expect(seen.some(({ event }) => event === 'part')).toBe(true)
    expect(textOf(seen)).toBe(text)
  })
})

describe('204', () => {
  test('a client that has everything need not reconnect', async () => {
    const run = await api.start('job')
    await api.claim()
    await api.writeLog(run, 'work', 'stdout', 'hi\n')
    await api.finish(run, 'success', { work: 'success' })
    const answer = await api.call('GET', path(run), { headers: { 'last-event-id': '1-3' } })
    expect(answer.status).toBe(204)
  })
})

describe('200: an earlier attempt', () => {
  test('is streamed until its end', async () => {
    const run = await api.start('job')
    await api.claim()
    await api.writeLog(run, 'work', 'stdout', 'of the first attempt\n')
    await api.finish(run, 'failed', { work: 'failed' })
    await api.post(`/dag-runs/job/${run}/retry`, { dagRunId: run })
    await api.claim()
    await api.writeLog(run, 'work', 'stdout', 'of the second\n')
    const events = await api.follow(path(run, '?attempt=1'))
    expect(await events.rest()).toMatchObject([
      { event: 'lines', data: { lines: ['of the first attempt'] } },
      { event: 'end' },
    ])
  })
})

describe('400 bad_request', () => {
  test('an unknown stream', async () => {
    const run = await api.start('job')
    expect(await api.get(path(run, '?stream=both'))).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    })
  })
})

describe('404 not_found', () => {
  test('an unknown run, an unknown step', async () => {
    const run = await api.start('job')
    expect(await api.get(path('none'))).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await api.get(`/dag-runs/job/${run}/steps/none/log/stream`)).toMatchObject({ status: 404 })
  })
})
