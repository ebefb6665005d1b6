import { describe, expect, test } from 'vitest'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()
await api.createDag('book')
const run = await api.start('book')
await api.claim()
await api.writeLog(run, 'work', 'stdout', Array.from({ length: 400 }, (_, at) => `page ${at + 1}\n`).join(''))
await api.finish(run, 'failed', { work: 'failed' })

/** The lines of a simulated log of more than a gigabyte. */
const totalLines = 14_000_000
const lineOf = (number: number): string => `${number} ${'x'.repeat(80)}`

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('a range of lines is selected with Shift, linked to and copied', async () => {
    const page = await open(`/runs/book/${run}/log?step=work#L10`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const log = page.getByRole('region', { name: 'Log' })
    await log.getByRole('link', { name: 'Line 12', exact: true }).click({ modifiers: ['Shift'] })
    expect(new URL(page.url()).hash).toBe('#L10-L12')
    await page.getByRole('button', { name: 'Copy lines' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('page 10\npage 11\npage 12')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.reload()
    await log.getByText('page 10', { exact: true }).waitFor()
  })

  test('the search supports regular expressions and case', async () => {
    const page = await open(`/runs/book/${run}/log?step=work`)
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('PAGE 39\\d')
    const matches = page.getByRole('status', { name: 'Matches' })
    await matches.getByText('no match').waitFor()
    await page.getByRole('switch', { name: 'Regex' }).click()
    await matches.getByText('1 of 10 matches').waitFor()
    await page.getByRole('switch', { name: 'Match case' }).click()
    await matches.getByText('no match').waitFor()
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('page (')
    await matches.getByText('is not an RE2 expression').waitFor()
  })

  test('n and p step through the errors, and a long line is expanded on demand', async () => {
    const id = await api.start('book')
    await api.claim()
    const lines = [
      'fine',
      'ERROR: no disk',
      `long ${'y'.repeat(4_000)} the end`,
      'java.io.Exception',
      'terror',
    ]
    await api.writeLog(id, 'work', 'stdout', `${lines.join('\n')}\n`)
    await api.finish(id, 'failed', { work: 'failed' })
    const page = await open(`/runs/book/${id}/log?step=work`)
    await page.getByRole('region', { name: 'Log' }).getByText('fine').waitFor()
    const errors = page.getByRole('status', { name: 'Errors' })
    await page.keyboard.press('n')
    await errors.getByText('1 of 2 errors').waitFor()
    expect(new URL(page.url()).hash).toBe('#L2')
    await page.getByRole('button', { name: 'Next error' }).click()
    await errors.getByText('2 of 2 errors').waitFor()
    expect(new URL(page.url()).hash).toBe('#L4')
    await page.keyboard.press('p')
    await errors.getByText('1 of 2 errors').waitFor()
    expect(await page.getByText('y the end').count()).toBe(0)
    await page.getByRole('button', { name: '… show 2 kB more' }).click()
    await page.getByText('y the end').waitFor()
  })

  test('each attempt has its log', async () => {
    await api.createDag('again')
    const id = await api.start('again')
    await api.claim()
    await api.writeLog(id, 'work', 'stdout', 'the first time\n')
    await api.finish(id, 'failed', { work: 'failed' })
    await api.post(`/dag-runs/again/${id}/retry`, { dagRunId: id })
    await api.claim()
    await api.writeLog(id, 'work', 'stdout', 'the second time\n')
    await api.finish(id, 'success', { work: 'success' })
    const page = await open(`/runs/again/${id}/log?step=work`)
    const log = page.getByRole('region', { name: 'Log' })
    await log.getByText('the second time').waitFor()
    await page.getByRole('combobox', { name: 'Attempt' }).selectOption('attempt 1')
    await log.getByText('the first time').waitFor()
    expect(page.url()).toContain('attempt=1')
  })

  test('new lines wait behind a button while the log is not followed', async () => {
    await api.createDag('talk')
    const id = await api.start('talk')
    await api.claim()
    await api.writeLog(
      id,
      'work',
      'stdout',
      Array.from({ length: 200 }, (_, at) => `word ${at + 1}\n`).join(''),
    )
    const page = await open(`/runs/talk/${id}/log?step=work#L3`)
    await page.getByRole('region', { name: 'Log' }).getByText('word 3', { exact: true }).waitFor()
    await api.writeLog(id, 'work', 'stdout', 'word 201\nword 202\n', 1)
    await page.getByRole('button', { name: '↓ 2 new lines' }).click()
    await page.getByRole('region', { name: 'Log' }).getByText('word 202', { exact: true }).waitFor()
    await page.getByRole('switch', { name: 'Follow', checked: true }).waitFor()
  })

  test('the log of all steps is in order of time, and each line links to the log of its step', async () => {
    await api.createDag('pair', 'steps:\n  - {name: first, command: a}\n  - {name: second, command: b}\n')
    const id = await api.start('pair')
    await api.claim()
    await api.writeLog(id, 'first', 'stdout', 'from the first\n')
    await api.writeLog(id, 'second', 'stderr', 'from the second\n')
    await api.finish(id, 'failed', { first: 'success', second: 'failed' })
    const page = await open(`/runs/pair/${id}`)
    await page.getByRole('link', { name: 'Log', exact: true }).click()
    const log = page.getByRole('region', { name: 'Log' })
    await log.getByText('from the first').waitFor()
    await log.getByRole('link', { name: 'second !' }).click()
    await page.getByRole('heading', { level: 1, name: 'second' }).waitFor()
    expect(page.url()).toContain('step=second&stream=stderr#L1')
    await page.getByRole('link', { name: 'both' }).click()
    await log.getByText('from the second').waitFor()
    expect(await log.getByText('from the first').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Step' }).selectOption('all steps')
    await log.getByText('from the first').waitFor()
  })

  test('a log of a gigabyte can be linked into, scrolled by lines, and read to both ends', async () => {
    const page = await open('/livez')
    await page.route('**/steps/work/log?*', (route) => {
      const { searchParams } = new URL(route.request().url())
      const offset = Number(searchParams.get('offset'))
      const count = Math.max(0, Math.min(Number(searchParams.get('limit')), totalLines - offset + 1))
      const content = Array.from({ length: count }, (_, at) => `${lineOf(offset + at)}\n`).join('')
      return route.fulfill({ json: { content, totalLines, lineCount: count, position: '1-1' } })
    })
    const origin = new URL(page.url()).origin
    await page.goto(`${origin}/runs/book/${run}/log?step=work#L7777777`)
    const log = page.getByRole('region', { name: 'Log' })
    const line = (number: number) => log.getByRole('link', { name: `Line ${number}`, exact: true })
    const first = async () =>
      Number(
        await log
          .getByRole('link', { name: /^Line \d+$/ })
          .first()
          .textContent(),
      )
    await line(7_777_777).waitFor()
    await log.getByText(lineOf(7_777_777), { exact: true }).waitFor()
    const before = await first()
    await log.hover()
    for (let turn = 0; turn < 10; turn++) await page.mouse.wheel(0, 180)
    await line(before + 100).waitFor()
    // The scroll position is adjusted once scrolling ends; the lines stay.
    await expect.poll(first, { timeout: 10_000 }).toBe(before + 100)
    for (let turn = 0; turn < 10; turn++) await page.mouse.wheel(0, -180)
    await expect.poll(first, { timeout: 10_000 }).toBe(before)
    expect(await log.getByRole('link', { name: /^Line / }).count()).toBeLessThan(150)
    await log.focus()
    await page.keyboard.press('End')
    await log.getByText(lineOf(totalLines), { exact: true }).waitFor()
    await page.keyboard.press('Home')
    await log.getByText(lineOf(1), { exact: true }).waitFor()
  })
})
