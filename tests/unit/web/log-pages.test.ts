import { expect, test } from 'vitest'
import { createLogPages } from '#web/parts/log-view/log-pages.ts'

/** A growing log, and the reads of it. */
function growing() {
  const lines: string[] = []
  const asked: [number, number][] = []
  const log = { attempt: 1 }
  const pages = createLogPages(async (offset, limit) => {
    asked.push([offset, limit])
    const content = lines.slice(offset - 1, offset - 1 + limit).map((line) => `${line}\n`)
    return { content: content.join(''), totalLines: lines.length, position: `${log.attempt}-1` }
  })
  return { lines, asked, pages, log }
}

test('reading on requests only new lines and the last line, which may have been incomplete', async () => {
  const { lines, asked, pages } = growing()
  lines.push('one', 'two', 'th')
  await pages.readOn()
  expect([pages.total.value, pages.line(2)]).toEqual([3, 'th'])
  lines.splice(2, 1, 'three', 'four')
  asked.length = 0
  await pages.readOn()
  expect(asked).toEqual([[3, 998]])
  expect([0, 1, 2, 3].map(pages.line)).toEqual(['one', 'two', 'three', 'four'])
})

test('lines beyond a page are read from the next page', async () => {
  const { lines, pages } = growing()
  lines.push(...Array.from({ length: 990 }, (_, at) => String(at)))
  await pages.readOn()
  lines.push(...Array.from({ length: 20 }, (_, at) => String(990 + at)))
  await pages.readOn()
  expect([pages.total.value, pages.line(989), pages.line(999), pages.line(1_009)]).toEqual([
    1_010,
    '989',
    '999',
    '1009',
  ])
})

test('the log of a later attempt replaces that of the previous one', async () => {
  const { lines, pages, log } = growing()
  lines.push('first', 'attempt')
  await pages.readOn()
  lines.splice(0, 2, 'the', 'second', 'one')
  log.attempt = 2
  await pages.readOn()
  await pages.readOn()
  expect([pages.total.value, pages.line(0), pages.line(2)]).toEqual([3, 'the', 'one'])
})
