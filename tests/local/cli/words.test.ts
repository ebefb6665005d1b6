import { describe, expect, test } from 'vitest'
import { readTime } from '#local/cli/local-time.ts'
import { timeText } from '#local/cli/time-text.ts'
import { plain } from '#local/cli/output.ts'
import { childLabels } from '#local/cli/past-steps.ts'
import { took } from '#local/cli/runs.ts'
import { readStatus } from '#local/cli/status-words.ts'
import { runId, tableLines, text } from '#local/cli/table.ts'

describe('times', () => {
  test('are printed with their zone, or in UTC on request', () => {
    expect(timeText('2026-11-20T13:03:05Z', { isUtc: true })).toBe('2026-11-20 13:03:05 UTC')
    expect(timeText('', { isUtc: true })).toBe('-')
    const local = timeText('2026-11-20T13:03:05Z', { isUtc: false })
    expect(local).toMatch(/^2026-11-\d\d \d\d:\d\d:05 (UTC|[+-]\d\d:\d\d)$/)
    expect(Date.parse(local)).toBe(Date.parse('2026-11-20T13:03:05Z'))
  })

  test('are read as a duration before now, a date, or a date with a time', () => {
    const now = Date.parse('2026-11-20T13:03:05Z')
    expect(readTime('since', '24h', now)).toBe(now / 1_000 - 86_400)
    expect(readTime('since', '90s', now)).toBe(now / 1_000 - 90)
    expect(readTime('since', '2w', now)).toBe(now / 1_000 - 14 * 86_400)
    expect(readTime('since', '2026-11-20T13:03:05Z', now)).toBe(now / 1_000)
    expect(readTime('since', '2026-11-20', now)).toBe(new Date(2026, 10, 20).getTime() / 1_000)
    for (const bad of ['', 'yesterday', '24', '2026-13-45', '1h30m', '-1h'])
      expect(() => readTime('since', bad, now), bad).toThrow('--since must be a duration such as 24h')
  })

  test('durations use milliseconds if the service gives them', () => {
    const [startedAt, finishedAt] = ['2026-11-20T13:03:05Z', '2026-11-20T13:05:08Z']
    expect(took({ startedAt, finishedAt })).toBe('2 m 03 s')
    expect(took({ startedAt, finishedAt: startedAt })).toBe('< 1 s')
    expect(took({ startedAt, finishedAt, durationMs: 340 })).toBe('340 ms')
    expect(took({ startedAt: '', finishedAt: '' })).toBe('-')
  })
})

test.each([
  ['finished', 'success'],
  ['Success', 'success'],
  ['succeeded', 'success'],
  ['canceled', 'cancelled'],
  ['partial success', 'partial_success'],
  ['partially_succeeded', 'partial_success'],
  ['not-started', 'not_started'],
  ['queued', 'queued'],
])('the word %s means the status %s', (word, status) => {
  expect(readStatus('--status', word)).toBe(status)
})

describe('tables', () => {
  const rows = [
    { id: '01a201ba-4cb8-7ffe-85fa-c145713ee738', note: 'a note of several words', params: 'P=1' },
    { id: 'x', note: '', params: 'ITEM="a long value that no terminal has room for"' },
  ]
  const columns = {
    id: ({ id }: (typeof rows)[number]) => id,
    note: text(({ note }: (typeof rows)[number]) => note),
    params: text(({ params }: (typeof rows)[number]) => params),
  }
  const lines = (width: number | undefined) => tableLines(rows, columns, { width, isColoured: false, plain })

  test('are as wide as needed where no terminal limits them', () => {
    expect(lines(undefined)[2]).toMatch(/^x {38}\s+ITEM="a long value that no terminal has room for"$/)
  })

  test('fit a terminal: the widest text is cut first, ids never', () => {
    for (const width of [80, 100])
      for (const line of lines(width)) expect(line.length).toBeLessThanOrEqual(width)
    expect(lines(100)[1]).toContain('a note of several words  P=1')
    expect(lines(100)[2]).toMatch(/ITEM="a long value that no te.*…$/)
    expect(lines(30)[1]).toBe(`${rows[0]?.id}  a note of…  P=1`)
  })

  test('shorten run ids to unambiguous prefixes, and leave out empty columns', () => {
    const ids = ['01a20297-821b-7c04-9bca-2676ef91725a', '01a20297-821b-7e94-af9c-619d1c2a8de3', 'mine']
    const ofRuns = { run: runId((id: string) => id), faults: text(() => ''), status: () => 'finished' }
    const shown = (width: number) => tableLines(ids, ofRuns, { width, isColoured: false, plain })
    expect(shown(60)[1]).toBe(`${ids[0]}${' '.repeat(10)}finished`)
    expect(shown(40)).toEqual([
      'RUN               STATUS',
      '01a20297-821b-7c  finished',
      '01a20297-821b-7e  finished',
      'mine              finished',
    ])
  })

  test('colour only the columns that ask for it', () => {
    const coloured = { id: columns.id, note: { cell: columns.id, colour: (word: string) => `<${word}>` } }
    const options = { width: undefined, isColoured: true, plain }
    expect(tableLines(rows, coloured, options)[2]).toBe(`x${' '.repeat(37)}<x>`)
    expect(tableLines(rows, coloured, { ...options, isColoured: false })[2]).not.toContain('<')
  })
})

test('child runs are labelled by the params in which they differ', () => {
  const child = (dagRunId: string, params: string) => ({ name: 'leaf', dagRunId, params })
  const labels = (...params: string[]) => [
    ...childLabels(params.map((one, index) => child(`id${index}`, one))).values(),
  ]
  expect(labels('ITEM=x 1=bad', 'ITEM=x 1=good')).toEqual(['bad', 'good'])
  expect(labels('A=1 B=x', 'A=2 B=x')).toEqual(['A=1', 'A=2'])
  expect(labels('A=1')).toEqual(['leaf'])
  expect(labels('A=1', 'A=1')).toEqual(['id0', 'id1'])
  expect(labels(`1=${'y'.repeat(90)}`, '1=z')[0]).toMatch(/^y{29}…$/)
})
