import { describe, expect, test } from 'vitest'
import { rewriteRuns } from '#tests/support/rewrite-runs.ts'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()
const spec = (word: string) =>
  `params: [SIZE: 3, MODE: slow]\nsteps:\n  - name: load\n    command: echo ${word}\n  - name: add up\n    command: b\n`
await api.createDag('nightly', spec('first'))
const finish = (id: string, load: 'success' | 'failed', output: string) =>
  api.finish(
    id,
    load === 'failed' ? 'failed' : 'success',
    { load, 'add up': 'success' },
    { load: { ROWS: output } },
  )
await api.start('nightly', { dagRunId: '0199aaaa-older' })
await finish('0199aaaa-older', 'success', '17')
await rewriteRuns(api.database.db, "created_at = created_at - interval '1 day'", '0199aaaa-older')
await api.call('PUT', '/dags/nightly/spec', { body: { spec: spec('second') } })
await api.start('nightly', { dagRunId: '0199bbbb-newer', params: 'SIZE=4' })
await finish('0199bbbb-newer', 'failed', '18')

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('the palette finds steps, and runs by a prefix of their id, and leads to the search', async () => {
    const page = await open('/runs')
    await page.getByRole('table', { name: 'Runs' }).waitFor()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Go to' })
    await page.getByRole('option', { name: /0199bbbb-newer/ }).waitFor()
    await box.fill('0199aa')
    await page.getByRole('option', { name: /nightly 0199aaaa-older, succeeded/ }).waitFor()
    await box.fill('add')
    await page.getByRole('option', { name: /add up in nightly step/ }).click()
    await page.waitForURL(/\/dags\/nightly\/spec#L5$/)
    await page.keyboard.press('Control+k')
    await box.fill('echo second')
    await page.getByRole('option', { name: 'Search for “echo second”' }).click()
    await page.waitForURL((url) => url.searchParams.get('q') === 'echo second')
    await page.getByRole('region', { name: 'Specs' }).getByText('command: echo second').waitFor()
  })

  test('the search shows DAGs, steps, runs and lines of specs, each with a link', async () => {
    const page = await open('/search')
    await page.getByText('Search for anything').waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('load')
    const steps = page.getByRole('region', { name: 'Steps' })
    expect(await steps.getByRole('link', { name: 'load' }).getAttribute('href')).toBe('/dags/nightly/spec#L3')
    const line = page.getByRole('region', { name: 'Specs' }).getByRole('link', { name: 'line 3' })
    expect(await line.getAttribute('href')).toBe('/dags/nightly/spec#L3')
    await page.getByRole('searchbox', { name: 'Search' }).fill('0199')
    await page.getByRole('region', { name: 'Runs' }).getByRole('link', { name: '0199aaaa-older' }).click()
    await page.waitForURL(/\/runs\/nightly\/0199aaaa-older/)
  })

  test('a failed run is compared with the last success in states, params, outputs and spec', async () => {
    const page = await open('/runs/nightly/0199bbbb-newer')
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.waitForURL((url) => url.searchParams.get('a') === 'nightly/0199aaaa-older')
    const runs = page.getByRole('table', { name: 'Compared runs' })
    expect(await runs.getByRole('row', { name: /^State/ }).textContent()).toBe('Statesucceededfailed')
    const steps = page.getByRole('table', { name: 'Steps of both runs' })
    await steps.getByRole('row', { name: /^load succeeded failed/ }).waitFor()
    await page.getByRole('row', { name: 'SIZE 3 4' }).waitFor()
    expect(await page.getByRole('row', { name: /^MODE/ }).count()).toBe(0)
    await page
      .getByRole('region', { name: 'Params compared' })
      .getByRole('checkbox', { name: 'show 1 equal' })
      .click()
    await page.getByRole('row', { name: 'MODE slow slow' }).waitFor()
    await page.getByRole('row', { name: 'load.ROWS 17 18' }).waitFor()
    await page
      .getByRole('region', { name: 'Changes of the spec' })
      .getByText('command: echo second')
      .waitFor()
    await page.getByRole('link', { name: 'Swap' }).click()
    await page.getByRole('row', { name: 'SIZE 4 3' }).waitFor()
  })

  test('a comparison defaults to the previous run, and two selected runs are compared', async () => {
    const page = await open('/compare?b=nightly/0199bbbb-newer')
    await page.waitForURL((url) => url.searchParams.get('a') === 'nightly/0199aaaa-older')
    await page.goto(new URL('/compare?b=nightly/0199aaaa-older', page.url()).href)
    await page.getByText('This is the first run of its DAG').waitFor()
    await page.goto(new URL('/compare', page.url()).href)
    await page.getByText('No runs to compare').waitFor()
    await page.goto(new URL('/runs', page.url()).href)
    await page.getByRole('checkbox', { name: 'Select all runs shown' }).click()
    await page.getByRole('region', { name: 'Selection' }).getByRole('link', { name: 'Compare' }).click()
    await page.getByRole('row', { name: 'SIZE 3 4' }).waitFor()
  })

  test('the URL of the latest run with a status redirects to it', async () => {
    const page = await open('/runs/nightly/latest?status=success&view=steps')
    await page.waitForURL(/\/runs\/nightly\/0199aaaa-older\?view=steps$/)
    await page.getByRole('table', { name: 'Steps' }).waitFor()
    await page.goto(new URL('/runs/nightly/latest?status=cancelled', page.url()).href)
    await page.getByText('No run of nightly is cancelled').waitFor()
  })
})
