import { describe, expect, test } from 'vitest'
import { Rows, rowsBody } from '#lib/api/answers/rows.ts'

/** Pages that record how many were read, and whether reading was abandoned. */
function watched(count: number, failAt = Infinity) {
  const seen = { read: 0, ended: false }
  async function* pages() {
    try {
      for (; seen.read < count;) {
        if (seen.read === failAt) throw new Error('the database is gone')
        seen.read += 1
        yield [{ page: seen.read }]
      }
    } finally {
      seen.ended = true
    }
  }
  return { seen, rows: new Rows('items', pages(), { more: true }) }
}
const asJson = { asLines: false, check: () => undefined }

test('a page is read only after the one before was taken, and none after the caller disconnects', async () => {
  const { seen, rows } = watched(1_000)
  const reader = (await rowsBody(rows, asJson)).getReader()
  expect(seen.read).toBe(1)
  for (let piece = 0; piece < 3; piece++) await reader.read()
  expect(seen.read).toBeLessThan(6)
  await reader.cancel()
  expect(seen.ended).toBe(true)
  expect(seen.read).toBeLessThan(6)
})

test('the other fields of the answer follow the list', async () => {
  const text = await new Response(await rowsBody(watched(3).rows, asJson)).text()
  expect(JSON.parse(text)).toEqual({ items: [{ page: 1 }, { page: 2 }, { page: 3 }], more: true })
  const none = await new Response(await rowsBody(watched(0).rows, asJson)).text()
  expect(JSON.parse(none)).toEqual({ items: [], more: true })
})

describe('a failure', () => {
  test('before the first page is thrown, so that the caller gets an error status', async () => {
    await expect(rowsBody(watched(5, 0).rows, asJson)).rejects.toThrow('the database is gone')
  })

  test('after the first page aborts the body, so that no caller believes it complete, and hides why', async () => {
    const body = await rowsBody(watched(5, 2).rows, asJson)
    await expect(new Response(body).text()).rejects.toThrow('an unexpected error occurred')
  })
})
