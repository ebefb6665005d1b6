import { describe, expect, test } from 'vitest'
import { createMinutely, missMinutes } from '#tests/support/missed-instants.ts'
import { until } from '#tests/support/until.ts'
import { rewriteRuns } from '#tests/support/rewrite-runs.ts'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit({ basic: undefined, token: undefined })
const { db } = api.database
const steps = 'steps:\n  - {name: work, command: a}\n'
const zoned = { timezoneId: 'Europe/Berlin' }

for (let count = 0; count < 9; count++) {
  await api.createDag(
    `night-${count}`,
    `group: finance\nschedule: "CRON_TZ=Europe/Berlin 0 2 * * *"\n${steps}`,
  )
}
await api.createDag(
  'reports',
  `schedule: {start: "CRON_TZ=America/New_York 30 6 * * mon-fri", stop: "0 20 * * *"}\n${steps}`,
)
await api.createDag('unplanned', steps)

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('the agenda counts DAGs that start together, and links to their schedules', async () => {
    const page = await open('/schedule', zoned)
    const table = page.getByRole('table', { name: 'Schedule' })
    const row = table.getByRole('row', { name: /9 DAGs at 02:00/ }).first()
    await row.waitFor()
    await page.getByText('times in Europe/Berlin').waitFor()
    await row.getByRole('button', { name: '1 more' }).click()
    expect(await row.getByRole('link').count()).toBe(9)
    expect(
      await table
        .getByRole('row', { name: /reports/ })
        .first()
        .textContent(),
    ).toMatch(/America\/New_York|UTC/)
    await row.getByRole('link', { name: 'night-3' }).click()
    await page.getByRole('heading', { level: 1, name: 'night-3' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dags/night-3/schedule')
  })

  test('the week shows hours with collisions, and links to the next week', async () => {
    const page = await open('/schedule?view=week', zoned)
    const table = page.getByRole('table', { name: 'Schedule' })
    await table
      .getByRole('row', { name: /^02:00/ })
      .getByText('9 DAGs at 02:00')
      .first()
      .waitFor()
    expect(await table.getByRole('columnheader').count()).toBe(8)
    await page.getByRole('link', { name: 'Later' }).click()
    await page.waitForURL(/from=\d{4}-\d\d-\d\d/)
    await table.getByText('9 DAGs at 02:00').nth(6).waitFor()
  })

  test('a week with a clock change says so', async () => {
    const year = new Date().getUTCFullYear() + 1
    const last = Array.from({ length: 7 }, (_, n) => new Date(Date.UTC(year, 2, 31 - n)))
    const sunday = last
      .find((day) => day.getUTCDay() === 0)
      ?.toISOString()
      .slice(0, 10)
    const page = await open(`/schedule?view=week&from=${sunday}`, zoned)
    await page.getByText('the clock in Europe/Berlin goes forward 60 min at 03:00').waitFor()
    await page.getByRole('columnheader', { name: /clock change/ }).waitFor()
  })

  test('the past shows late runs and missed times with the reason', async () => {
    await createMinutely(db, 'minutely', '')
    await missMinutes(db, 'minutely', 30)
    await api.post('/tick')
    const run = await api.start('night-1')
    await api.finish(run, 'failed', { work: 'failed' })
    await rewriteRuns(
      db,
      `scheduled_at = now() - interval '1 hour', schedule_kind = 'start', started_at = now() - interval '58 minutes'`,
      run,
    )
    const page = await open('/schedule?view=past', zoned)
    const table = page.getByRole('table', { name: 'Schedule' })
    await table.getByRole('row', { name: /night-1 failed ?, late by 2 min/ }).waitFor()
    await table.getByText('no tick ran in time').first().waitFor()
    await page.getByRole('button', { name: 'Only late and missed' }).click()
    await table.getByRole('row', { name: /night-1/ }).waitFor()
    await table.getByRole('link', { name: 'failed' }).click()
    await page.waitForURL(`**/runs/night-1/${run}`)
  })

  test('a DAG shows its schedule in words, the next starts, the coming weeks, and a preview of changes', async () => {
    const page = await open('/dags/reports/schedule', zoned)
    const entries = page.getByRole('table', { name: 'Schedule' })
    await entries.getByRole('row', { name: /Starts at 06:30 on Monday to Friday/ }).waitFor()
    await entries.getByRole('row', { name: /Stops at 20:00/ }).waitFor()
    expect(await page.getByRole('region', { name: 'Next fires' }).getByRole('listitem').count()).toBe(10)
    const heat = page.getByRole('region', { name: 'Starts by week and hour' })
    expect(await heat.getByRole('row').count()).toBe(13)
    await heat.getByRole('cell', { name: '5' }).first().waitFor()
    await page.getByRole('textbox', { name: 'Schedule' }).fill('CRON_TZ=Europe/Berlin 0 2 * * *')
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('region', { name: 'Preview of the schedule' })
    await preview.getByText(/it adds 14 fires, removes 2\d and keeps 0/).waitFor()
    await preview.getByText(/1?[09] other DAGs at/).waitFor()
    await page.getByRole('textbox', { name: 'Schedule' }).fill('61 * * * *')
    await page.getByRole('button', { name: 'Preview' }).click()
    await preview
      .getByRole('alert')
      .getByText(/minute/)
      .waitFor()
  })

  test('a DAG without a schedule says so, and a suspended one says since when', async () => {
    const page = await open('/dags/unplanned/schedule')
    await page.getByText('It has no schedule').waitFor()
    await page.goto(page.url().replace('unplanned', 'night-2'))
    await page.getByRole('switch', { name: 'Scheduled' }).click()
    await page.getByText(/schedule suspended \d+ s ago/).waitFor()
    await page.getByRole('region', { name: 'Next fires' }).getByText('suspended').first().waitFor()
    await page.getByRole('switch', { name: 'Scheduled' }).click()
    await page.getByText(/schedule suspended/).waitFor({ state: 'detached' })
  })

  test('the overview shows what is running, what fails, what is next and what is late', async () => {
    await missMinutes(db, 'minutely', 3)
    const page = await open('/overview', zoned)
    await page.getByRole('region', { name: 'Fails most' }).getByRole('link', { name: 'night-1' }).waitFor()
    await page.getByRole('region', { name: 'Fires next' }).getByRole('listitem').nth(8).waitFor()
    await page
      .getByRole('region', { name: 'Late schedules' })
      .getByRole('link', { name: 'minutely' })
      .waitFor()
    await page.getByText('1 more than before').waitFor()
    await page.getByRole('navigation', { name: 'Periods' }).getByRole('link', { name: 'Last 7 days' }).click()
    await page.waitForURL(/hours=168/)
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor()
  })

  test('a mosaic of 10,000 DAGs has few elements, follows runs, and links to groups and DAGs', async () => {
    await db.sql`
      insert into millrace.dag
        (file_name, dag_name, definition_hash, summary, tags, group_name, problems, max_active_runs)
      select 'many-' || lpad(n::text, 5, '0'), 'many-' || n, definition_hash, summary, tags, 'group-' || n % 10,
        problems, 1
      from generate_series(1, 10000) n, millrace.dag where file_name = 'unplanned'`
    const page = await open('/dags?view=grid')
    const group = page.getByRole('region', { name: 'group-7' })
    await group.getByText('1,000 DAGs: 1,000 never ran').waitFor()
    await page.getByRole('img', { name: /^Mosaic of finance: 9 DAGs: 1 failed/ }).waitFor()
    await page
      .getByRole('list', { name: 'Failed of finance' })
      .getByRole('link', { name: 'night-1' })
      .waitFor()
    expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(1_000)
    await page.getByRole('status', { name: 'Live' }).getByText('live', { exact: true }).waitFor()
    const readings: string[] = []
    page.on('request', (request) => request.url().includes('dag-states') && readings.push(request.url()))
    const run = await api.start('night-4')
    await api.claim()
    await page.getByText(/^9 DAGs: 1 failed, 1 running/).waitFor()
    await api.finish(run, 'success', { work: 'success' })
    await until('the mosaic follows', async () =>
      (await page.getByText(/^9 DAGs: 1 failed, 1 succeeded/).count()) > 0 ? true : undefined,
    )
    expect(readings).toEqual([])
    await page.getByRole('img', { name: /^Mosaic of finance/ }).click({ position: { x: 5, y: 5 } })
    await page.getByRole('heading', { level: 1, name: 'night-0' }).waitFor()
    await page.goBack()
    await group.getByRole('link', { name: 'group-7' }).click()
    await page.getByText('1 to 100 of 1,000').waitFor()
    await db.sql`delete from millrace.dag where file_name like 'many-%'`
  })
})
