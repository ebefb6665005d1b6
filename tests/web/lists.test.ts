import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { until } from '#tests/support/until.ts'
import { rewriteRuns } from '#tests/support/rewrite-runs.ts'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()
const { db } = api.database

await api.createDag(
  'nightly',
  'tags: [big]\nsteps:\n  - {name: load, command: a}\n  - {name: add, command: b}\n',
)
const ids: string[] = []
for (const [load, add] of [
  ['success', 'success'],
  ['success', 'failed'],
  ['failed', 'not_started'],
] as const) {
  const run = await api.start('nightly')
  const isGood = add === 'success'
  await api.finish(run, isGood ? 'success' : 'failed', { load, ...(add !== 'not_started' && { add }) })
  ids.push(run)
}
await api.createDag(
  'quick',
  'schedule: "CRON_TZ=Asia/Tokyo 0 4 * * *"\nsteps:\n  - {name: one, command: a}\n',
)
const quick = await api.start('quick')
await api.finish(quick, 'success', { one: 'success' })
await rewriteRuns(db, "created_at = created_at - interval '10 days'", quick)
await api.createDag('unused', 'name: other-name\nsteps:\n  - {name: one, command: a}\n')

const rowNames = async (page: Page, table: string): Promise<string[]> => {
  const rows = page.getByRole('table', { name: table }).getByRole('row')
  return (await rows.getByRole('link').allTextContents()).filter((text) => /^[a-z-]+$/.test(text))
}
const waitForUrl = (page: Page, part: string) =>
  page.waitForURL((url) => decodeURIComponent(url.search.replaceAll('+', ' ')).includes(part))

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('DAGs are sorted by a column, and the URL keeps it', async () => {
    const page = await open('/dags')
    const table = page.getByRole('table', { name: 'DAGs' })
    await table.getByRole('row', { name: /nightly/ }).waitFor()
    await table.getByRole('columnheader', { name: 'Last run' }).getByRole('link').click()
    await waitForUrl(page, 'sort=state')
    await table.getByRole('row').nth(1).getByRole('link', { name: 'nightly' }).waitFor()
    expect(await table.locator('[aria-sort=ascending]').textContent()).toContain('Last run')
    await table.getByRole('columnheader', { name: 'Last run' }).getByRole('link').click()
    await waitForUrl(page, 'sort=-state')
    await table.getByRole('row').nth(1).getByRole('link', { name: 'unused' }).waitFor()
    await page.goBack()
    await table.getByRole('row').nth(1).getByRole('link', { name: 'nightly' }).waitFor()
  })

  test('tabs count the DAGs of each state, and filter them', async () => {
    const page = await open('/dags')
    const tabs = page.getByRole('navigation', { name: 'States' })
    await tabs.getByRole('link', { name: 'All 3' }).waitFor()
    await tabs.getByRole('link', { name: 'Failed 1' }).click()
    await page.getByRole('row', { name: /quick/ }).waitFor({ state: 'detached' })
    expect(await tabs.getByRole('link', { name: 'Failed 1' }).getAttribute('aria-current')).toBe('page')
    await page.reload()
    await page.getByRole('row', { name: /nightly/ }).waitFor()
    await tabs.getByRole('link', { name: 'Queued 0' }).click()
    await page.getByText('No DAG matches the filter').waitFor()
    await page.getByRole('button', { name: 'Show all DAGs' }).click()
    await page.getByRole('row', { name: /unused/ }).waitFor()
  })

  test('a row says when the DAG runs next, in the zone of its schedule', async () => {
    const page = await open('/dags?q=tag:big%20night')
    await page.getByRole('row', { name: /nightly/ }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByRole('searchbox', { name: 'Filter DAGs' }).fill('quick')
    const row = page.getByRole('row', { name: /quick/ })
    await row.waitFor()
    expect(await row.textContent()).toMatch(/in \d+ (h|min).*Asia\/Tokyo/)
  })

  test('10,000 DAGs are shown in pages, with only the rows near the viewport', async () => {
    await db.sql`
      insert into millrace.dag
        (file_name, dag_name, definition_hash, summary, tags, group_name, problems, max_active_runs)
      select 'many-' || lpad(n::text, 5, '0'), 'many-' || n, definition_hash, summary, tags, group_name, problems, 1
      from generate_series(1, 10000) n, millrace.dag where file_name = 'nightly'`
    const page = await open('/dags?q=many')
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await pages.getByText('1 to 100 of 10,000').waitFor()
    const table = page.getByRole('table', { name: 'DAGs' })
    expect(await table.getAttribute('aria-rowcount')).toBe('10001')
    const rowIndices = () =>
      page.evaluate<number[]>(
        '[...document.querySelectorAll("main tr[aria-rowindex]")].map((row) => Number(row.ariaRowIndex))',
      )
    expect(await rowIndices()).toContain(2)
    expect((await rowIndices()).length).toBeLessThanOrEqual(61)
    await page.getByRole('button', { name: 'Start' }).first().focus()
    await page.mouse.wheel(0, 100_000)
    await until('the last row is rendered', async () => (await rowIndices()).includes(101))
    expect(await rowIndices(), 'the row with the focus').toContain(2)
    expect((await rowIndices()).length).toBeLessThanOrEqual(61)
    expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(3_000)
    await page.keyboard.press('Tab')
    await page.mouse.wheel(0, -100_000)
    await until('the third row is rendered', async () => (await rowIndices()).includes(4))
    await pages.getByRole('link', { name: 'Next' }).click()
    await pages.getByText('101 to 200 of 10,000').waitFor()
    await page.goto(page.url().replace('page=2', 'page=100'))
    await pages.getByText('9,901 to 10,000 of 10,000').waitFor()
    expect(await pages.getByRole('link', { name: 'Next' }).count()).toBe(0)
    await page.goto(page.url().replace('page=100', 'page=101'))
    await page.getByText('There is no such page').waitFor()
    await db.sql`delete from millrace.dag where file_name like 'many-%'`
  })

  test('arrow keys in the grid of the last runs lead to the step of a run', async () => {
    const page = await open('/dags/nightly')
    const grid = page.getByRole('grid', { name: 'Steps of the last runs' })
    await grid.waitFor()
    expect(await grid.getByRole('rowheader').allTextContents()).toEqual(['load', 'add'])
    await grid.getByText('failed in its last run').first().waitFor()
    const newest = grid.getByRole('link', { name: `failed ${ids[2]}` })
    await newest.focus()
    await page.keyboard.press('ArrowDown')
    const cell = grid.getByRole('gridcell').getByRole('link', { name: `load failed in ${ids[2]}` })
    expect(await cell.evaluate((link) => link.matches(':focus'))).toBe(true)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Why' }).waitFor()
    expect(page.url()).toContain(`/runs/nightly/${ids[1]}?step=add`)
  })

  test('a DAG shows its success rate, and links to its runs and its text', async () => {
    const page = await open('/dags/nightly')
    await page.getByText('33 % of the last 3 runs succeeded').waitFor()
    const views = page.getByRole('navigation', { name: 'Views of the DAG' })
    await views.getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(3).waitFor()
    await views.getByRole('link', { name: 'Spec' }).click()
    await page.getByRole('textbox', { name: 'Spec' }).getByText('name: load').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/dags/nightly/spec')
    await page.goto(page.url().replace('nightly/spec', 'unused'))
    await page.getByText('It has never run').waitFor()
  })

  test('a grid of many steps shows the failed ones first', async () => {
    const steps = Array.from({ length: 400 }, (_, n) => `  - {name: s${n}, command: a}\n`).join('')
    await api.createDag('wide', `steps:\n${steps}`)
    const run = await api.start('wide')
    await api.finish(run, 'failed', { s399: 'failed' })
    const page = await open('/dags/wide')
    const grid = page.getByRole('grid', { name: 'Steps of the last runs' })
    await grid.getByRole('link', { name: `s399 failed in ${run}` }).waitFor()
    expect(await grid.getByRole('row').count()).toBe(101)
    await page.getByRole('button', { name: 'Show more steps' }).click()
    await grid.getByRole('rowheader', { name: 's150', exact: true }).waitFor()
  })

  test('runs are filtered by several states and removable chips, and the URL keeps the filter', async () => {
    const page = await open('/runs')
    const table = page.getByRole('table', { name: 'Runs' })
    await table.waitFor()
    const states = page.getByRole('group', { name: 'States' })
    await states.getByRole('button', { name: 'Failed' }).click()
    await waitForUrl(page, 'q=failed')
    await table.getByRole('row', { name: /quick/ }).waitFor({ state: 'detached' })
    await states.getByRole('button', { name: 'Succeeded', exact: true }).click()
    await waitForUrl(page, 'q=failed success')
    await table.getByRole('row', { name: /quick/ }).waitFor()
    expect(await page.getByRole('searchbox', { name: 'Filter runs' }).inputValue()).toBe('failed success')
    await page.getByRole('searchbox', { name: 'Filter runs' }).fill('failed success tag:big')
    await table.getByRole('row', { name: /quick/ }).waitFor({ state: 'detached' })
    await page.reload()
    await states.getByRole('button', { name: 'Failed', pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Remove tag: big' }).click()
    await table.getByRole('row', { name: /quick/ }).waitFor()
    expect(new Set(await rowNames(page, 'Runs'))).toEqual(new Set(['nightly', 'quick', 'wide']))
  })

  test('the histogram counts all runs of its range, and a drag narrows the range', async () => {
    const page = await open('/runs?q=dag:nightly')
    const image = page.getByRole('img', { name: 'Histogram' })
    await image.waitFor()
    await page.getByText('3 runs: 2 failed, 1 succeeded').waitFor()
    const box = await image.boundingBox()
    if (box === null) throw new Error('the histogram is not visible')
    await page.mouse.move(box.x + box.width - 2, box.y + 30)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + 30, { steps: 4 })
    await page.mouse.up()
    await waitForUrl(page, 'from=')
    const query = new URL(page.url()).searchParams
    const hours = (Number(query.get('to')) - Number(query.get('from'))) / 3_600
    expect(hours).toBeGreaterThan(11)
    expect(hours).toBeLessThan(13)
    await page.getByText('3 runs: 2 failed, 1 succeeded').waitFor()
    await page.mouse.click(box.x + 5, box.y + 30)
    await page.getByText('No run matches the filter').waitFor()
    await page.getByRole('combobox', { name: 'Range' }).selectOption('Last 30 days')
    await page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(3).waitFor()
    expect(new URL(page.url()).searchParams.get('last')).toBe('30d')
  })

  test('two time fields narrow the range by keyboard', async () => {
    const page = await open('/runs')
    await page.getByRole('row', { name: /quick/ }).waitFor()
    await page.getByLabel('From').fill('2026-01-01T00:00')
    await waitForUrl(page, 'from=')
    await page.getByRole('row', { name: /quick/ }).waitFor()
    await page.getByLabel('To', { exact: true }).fill('2026-01-02T00:00')
    await page.getByText('No run matches the filter').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByRole('row', { name: /quick/ }).waitFor()
  })

  test('a range with too many runs is reported next to the list', async () => {
    const page = await open('/runs')
    await page.getByRole('table', { name: 'Runs' }).waitFor()
    await page.route('**/dag-runs/histogram?*', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: '{"code":"service_unavailable","message":"narrow the range or the filters"}',
      }),
    )
    await page.getByRole('combobox', { name: 'Range' }).selectOption('Last 30 days')
    await page.getByRole('alert').getByText('narrow the range or the filters').first().waitFor()
    await page.getByRole('row', { name: /quick/ }).waitFor()
  })

  test('a run links to its DAG even if the file has another name', async () => {
    const run = await api.start('unused')
    await api.finish(run, 'failed', { one: 'failed' })
    const page = await open(`/runs/other-name/${run}`)
    await page.getByRole('button', { name: 'Run again…' }).click()
    await page.getByRole('dialog', { name: 'Start unused' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('main').getByRole('link', { name: 'other-name' }).click()
    await page.getByRole('grid', { name: 'Steps of the last runs' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dags/unused')
  })
})
