import { describe, test } from 'vitest'
import { createMinutely, missMinutes } from '#tests/support/missed-instants.ts'
import { faultsOf, webKit } from './kit.ts'
const { api, open } = await webKit()
const { db } = api.database
const steps = 'steps:\n  - {name: work, command: a}\n'
for (let n = 0; n < 9; n++)
  await api.createDag(
    `night-${n}`,
    `group: ${n % 2 ? 'sales' : 'finance'}\nschedule: "CRON_TZ=Europe/Berlin 0 2 * * *"\n${steps}`,
  )
await api.createDag(
  'reports',
  `schedule: {start: ["CRON_TZ=America/New_York 30 6 * * mon-fri", "CRON_TZ=America/New_York 0 */4 * * *"], stop: "0 20 * * *"}\n${steps}`,
)
await api.createDag('asleep', `schedule: "15 * * * *"\n${steps}`)
await api.post('/dags/asleep/suspend', { suspend: true })
await createMinutely(db, 'minutely', '')
await missMinutes(db, 'minutely', 30)
await api.post('/tick')
for (const [n, s] of [
  ['night-1', 'failed'],
  ['night-2', 'success'],
  ['night-3', 'failed'],
  ['night-4', 'success'],
] as const)
  await api.finish(await api.start(n), s, { work: s })
await api.start('reports')
await api.claim()
await missMinutes(db, 'minutely', 2)
await db.sql`
  insert into millrace.dag (file_name, dag_name, definition_hash, summary, tags, group_name, problems, max_active_runs)
  select 'many-' || lpad(n::text, 5, '0'), 'many-' || n, definition_hash, summary, tags, 'group-' || n % 12, problems, 1
  from generate_series(1, 10000) n, millrace.dag where file_name = 'night-1'`
const pages = {
  schedule: '/schedule',
  week: '/schedule?view=week',
  past: '/schedule?view=past',
  overview: '/overview',
  dag: '/dags/reports/schedule',
  asleep: '/dags/asleep/schedule',
  grid: '/dags?view=grid',
  list: '/dags',
}
describe('x', { timeout: 120_000 }, () => {
  test('x', async () => {
    for (const [scheme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 375],
    ] as const) {
      const page = await open('/', {
        colorScheme: scheme,
        viewport: { width, height: 800 },
        timezoneId: 'Europe/Berlin',
      })
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(new URL(path, page.url()).href)
        await page.waitForLoadState('networkidle').catch(() => undefined)
        await page.locator('main table, main svg, main section').first().waitFor()
        if (name === 'dag') {
          await page.getByRole('textbox', { name: 'Schedule' }).fill('0 3 * * *')
          await page.getByRole('button', { name: 'Preview' }).click()
          await page.getByText('In the next 14').waitFor()
        }
        console.log(
          scheme,
          width,
          name,
          await faultsOf(page),
          await page.evaluate('document.documentElement.scrollWidth > innerWidth'),
          await page.evaluate('document.querySelectorAll("*").length'),
        )
        await page.screenshot({
          path: `/tmp/schedule/${name}-${scheme}-${width}.png`,
          fullPage: name === 'dag',
        })
      }
    }
  })
})
