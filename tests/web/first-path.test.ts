import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { until } from '#tests/support/until.ts'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('one click leads from the list of runs to the line that explains a failure', async () => {
    await api.createDag('orders', 'steps:\n  - {name: fetch, command: a}\n  - {name: check, command: b}\n')
    const run = await api.start('orders')
    await api.claim()
    await api.writeLog(run, 'check', 'stdout', 'reading 412 rows\n')
    await api.writeLog(run, 'check', 'stderr', 'line 317: the amount is not a number\n')
    await api.finish(run, 'failed', { fetch: 'success', check: 'failed' })

    const page = await open('/runs')
    const row = page.getByRole('table', { name: 'Runs' }).getByRole('row', { name: /failed/ })
    await row.getByRole('link', { name: 'orders' }).click()
    const why = page.getByRole('region', { name: 'Why' })
    await why.getByText('line 317: the amount is not a number').waitFor()
    expect(await why.getByText('check ended badly').isVisible()).toBe(true)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('orders')
    expect(await page.getByRole('status', { name: 'State' }).textContent()).toContain('failed')
    const timeline = page.getByRole('treegrid', { name: 'Timeline' })
    expect(await timeline.getByRole('row', { name: 'check failed' }).count()).toBe(1)
    await page.getByRole('link', { name: 'Steps' }).click()
    await page
      .getByRole('table', { name: 'Steps' })
      .getByRole('row', { name: /check failed/ })
      .waitFor()

    await page.getByRole('button', { name: 'Retry failed' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    expect(await page.getByRole('button', { name: 'Retry failed' }).count()).toBe(0)
  })

  test('the last runs of a DAG are links with a single Tab stop', async () => {
    await api.createDag('counted', 'steps:\n  - {name: one, command: a}\n')
    const ids: string[] = []
    for (const end of ['success', 'failed'] as const) {
      const run = await api.start('counted')
      await api.claim()
      await api.finish(run, end, { one: end })
      ids.push(run)
    }
    const page = await open('/dags?q=counted')
    const row = page.getByRole('row', { name: /counted/ })
    const newest = row.getByRole('link', { name: `failed ${ids[1]}` })
    await newest.focus()
    await page.keyboard.press('ArrowLeft')
    const older = row.getByRole('link', { name: `succeeded ${ids[0]}` })
    expect(await older.evaluate((link) => link.matches(':focus'))).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'counted' }).waitFor()
    expect(page.url()).toContain(String(ids[0]))
  })

  test('a DAG is started with a param, and run again with it', async () => {
    await api.createDag(
      'greet',
      'params:\n  - NAME: world\n  - TONE: kind\nsteps:\n  - {name: say, command: echo}\n',
    )
    const page = await open('/')
    const filter = page.getByRole('searchbox', { name: 'Filter DAGs' })
    await filter.fill('gree')
    const table = page.getByRole('table', { name: 'DAGs' })
    await table.getByRole('row').nth(2).waitFor({ state: 'detached' })
    expect(await filter.evaluate((field) => field.matches(':focus'))).toBe(true)
    await table.getByRole('row', { name: /greet/ }).getByRole('button', { name: 'Start' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start greet' })
    expect(await dialog.getByRole('textbox', { name: 'TONE' }).inputValue()).toBe('kind')
    await dialog.getByRole('textbox', { name: 'NAME' }).fill('Ada "the" first')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('heading', { level: 1, name: 'greet' }).waitFor()
    const params = page.getByRole('list', { name: 'Params' }).getByRole('listitem')
    await params.filter({ hasText: 'NAMEAda "the" first' }).waitFor()
    await params.filter({ hasText: 'TONEkind' }).waitFor()
    const { body } = await api.get<{ dagRuns: { params: string }[] }>('/dag-runs?name=greet')
    expect(body.dagRuns.map(({ params }) => params)).toEqual(['NAME=Ada "the" first'])
    await page.getByRole('button', { name: 'Run again…' }).click()
    const again = page.getByRole('dialog', { name: 'Start greet' }).getByRole('textbox', { name: 'NAME' })
    expect(await again.inputValue()).toBe('Ada "the" first')
  })

  test('a refused start shows the message of the service', async () => {
    await api.createDag('gone')
    const page = await open('/dags/gone')
    await page.getByRole('button', { name: 'Start' }).click()
    await api.call('DELETE', '/dags/gone')
    await page.getByRole('dialog').getByRole('button', { name: 'Enqueue' }).click()
    const alert = page.getByRole('alert')
    expect(await alert.textContent()).toMatch(/no DAG|not found|does not exist/i)
    expect(await alert.textContent()).toMatch(/request [0-9a-f-]{36}/)
  })

  test('a log is followed until the reader scrolls up', async () => {
    await api.createDag('talk')
    const run = await api.start('talk')
    await api.claim()
    const lines = Array.from({ length: 2_500 }, (_, index) => `line ${index + 1}\n`).join('')
    await api.writeLog(run, 'work', 'stdout', lines)
    const page = await open(`/runs/talk/${run}/log?step=work`)
    const log = page.getByRole('region', { name: 'Log' })
    await log.getByText('line 2500', { exact: true }).waitFor()
    await api.writeLog(run, 'work', 'stdout', 'the last line\n', 1)
    await page.getByRole('combobox', { name: 'Step' }).waitFor()
    await page.getByRole('switch', { name: 'Follow', checked: true }).waitFor()
    await log.hover()
    await page.mouse.wheel(0, -20_000)
    await log.getByText('line 1400', { exact: true }).waitFor({ state: 'hidden' })
    await page.getByRole('switch', { name: 'Follow', checked: false }).waitFor()
    expect(await log.getByText(/^line \d+$/).count()).toBeLessThan(60)
  })

  test('a link to a line shows that line', async () => {
    await api.createDag('book')
    const run = await api.start('book')
    await api.claim()
    const lines = Array.from({ length: 9_000 }, (_, index) => `page ${index + 1}\n`).join('')
    await api.writeLog(run, 'work', 'stdout', lines)
    await api.finish(run, 'success', { work: 'success' })
    const page = await open(`/runs/book/${run}/log?step=work#L7777`)
    const log = page.getByRole('region', { name: 'Log' })
    await log.getByText('page 7777', { exact: true }).waitFor()
    await log.getByRole('link', { name: 'Line 7780' }).click()
    expect(new URL(page.url()).hash).toBe('#L7780')

    const file = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Raw' }).click()
    expect(readFileSync(await (await file).path(), 'utf8')).toBe(lines)
  })

  test('the search finds lines that are not loaded', async () => {
    await api.createDag('tome')
    const run = await api.start('tome')
    await api.claim()
    const lines = Array.from({ length: 30_000 }, (_, index) => `verse ${index + 1}\n`).join('')
    await api.writeLog(run, 'work', 'stdout', lines)
    await api.finish(run, 'success', { work: 'success' })
    const page = await open(`/runs/tome/${run}/log?step=work`)
    await page.getByRole('region', { name: 'Log' }).getByText('verse 30000', { exact: true }).waitFor()
    await page.keyboard.press('Control+f')
    await page.keyboard.type('verse 1234')
    const matches = page.getByRole('status', { name: 'Matches' })
    await matches.getByText('1 of 11 matches').waitFor()
    await page.getByRole('region', { name: 'Log' }).getByText('verse 1234', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await matches.getByText('2 of 11 matches').waitFor()
    await page.getByRole('region', { name: 'Log' }).getByText('verse 12340', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await matches.getByText('1 of 11 matches').waitFor()
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('chapter')
    await matches.getByText('no match').waitFor()
  })

  test('a schedule is suspended by its switch', async () => {
    await api.createDag('daily', 'schedule: "0 4 * * *"\nsteps:\n  - {name: a, command: b}\n')
    const page = await open('/dags?q=daily')
    const row = page.getByRole('row', { name: /daily/ })
    await row.getByRole('switch', { name: 'Scheduled', checked: true }).click()
    await row.getByRole('switch', { name: 'Scheduled', checked: false }).waitFor()
    await until('the DAG is suspended', async () => {
      const { body } = await api.get<{ suspended: boolean }>('/dags/daily')
      return body.suspended
    })
  })

  test('a missing run says so', async () => {
    const page = await open('/runs/nothing/none')
    await page.getByText('This run does not exist, or was removed').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'DAGs' }).click()
    await page.getByRole('heading', { level: 1, name: 'DAGs' }).waitFor()
  })

  test('the page keeps its content while the service is unreachable, and says so', async () => {
    await api.createDag('kept')
    const page = await open('/dags?q=kept')
    await page.getByRole('link', { name: 'kept' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('status', { name: 'Live' }).getByText('offline').waitFor()
    expect(await page.getByRole('link', { name: 'kept' }).isVisible()).toBe(true)
    await page.context().setOffline(false)
    await page.getByRole('status', { name: 'Live' }).getByText('live').waitFor()
  })
})
