import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('talk')
const runId = await api.start('talk')
const log = (query = '', run = runId) => api.get(`/dag-runs/talk/${run}/log${query}`)

describe('200', () => {
  test('the log is empty before anything is written', async () => {
    expect((await log()).body).toEqual({
      content: '',
      lineCount: 0,
      totalLines: 0,
      hasMore: false,
      isEstimate: false,
      firstLine: 0,
      totalBytes: 0,
      position: '1-0',
      isOver: false,
    })
  })

  test('lines come without the last line break', async () => {
    await api.writeLog(runId, '', 'run', 'one\ntwo\nthree\n')
    expect((await log()).body).toMatchObject({
      content: 'one\ntwo\nthree',
      lineCount: 3,
      totalLines: 3,
      hasMore: false,
    })
    expect((await log('?tail=1')).body).toMatchObject({ content: 'three', lineCount: 1, hasMore: true })
    expect((await log('?head=2', 'latest')).body).toMatchObject({
      content: 'one\ntwo',
      lineCount: 2,
      hasMore: true,
    })
  })
})

describe('400 bad_request', () => {
  test.each(['tail=x', 'limit=1e3', 'offset=1.5', 'attempt=x', 'attempt=2'])(
    'the query %s',
    async (query) => {
      expect(await log(`?${query}`)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    },
  )
})

describe('404 not_found', () => {
  test('an unknown run', async () => {
    expect(await log('', 'zzz')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
