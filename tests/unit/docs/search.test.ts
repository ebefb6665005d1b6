import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { pageName } from '#local/docs/page-list.ts'
import { readDocs } from '#local/docs/read-docs.ts'
import { searchDocs, type SearchIndex } from '#web/docs/search.ts'

const { pages, titles } = readDocs(resolve(import.meta.dirname, '../../..'))
const index: SearchIndex = [...pages].map(([source, { entries }]) => [
  pageName(source),
  titles.get(source) ?? '',
  entries.map(({ anchor, title, text }) => [anchor, title, text] as const),
])

test.each([
  ['MILLRACE_RUNNER_SLOTS', 'settings.html#'],
  ['histRetentionDays', 'dag-file.html#dag-histretentiondays'],
  ['MillraceNoRunner', 'runbooks.html#millracenorunner'],
  ['schedule does not fire', 'troubleshooting.html#a-schedule-does-not-fire'],
  ['cookbook approval', 'cookbook.html#approval-by-hand'],
])('%s is found first', (text, href) => {
  expect(searchDocs(index, text)[0]?.href).toContain(href)
})

test('all words must match, and an empty search finds nothing', () => {
  expect(searchDocs(index, 'retryPolicy zebra')).toEqual([])
  expect(searchDocs(index, '  ')).toEqual([])
})

test('an extract contains the word', () => {
  const [found] = searchDocs(index, 'traceparent')
  expect(found?.extract.toLowerCase()).toContain('traceparent')
})
