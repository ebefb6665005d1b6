import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()
for (const name of ['apples', 'beans', 'cherries']) {
  await api.createDag(name, 'schedule: "0 * * * *"\nsteps:\n  - {name: work, command: a}\n')
}
await api.enqueue('apples')
await api.heartbeat({ region: 'eu' })

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent.trim()')

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('j and k move between rows, x selects one, and Enter opens it', async () => {
    const page = await open('/dags')
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
    const seen: string[] = []
    for (const key of ['j', 'j', 'j', 'j', 'k']) {
      await page.keyboard.press(key)
      seen.push(await focused(page))
    }
    expect(seen).toEqual(['apples', 'beans', 'cherries', 'cherries', 'beans'])
    await page.keyboard.press('x')
    await page.getByRole('checkbox', { name: 'Select beans', checked: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'beans' }).waitFor()
  })

  test.each([
    ['/runs', 'Runs', 'apples'],
    ['/queues', 'Queues', 'apples'],
    ['/runners', 'Runners', 'test-runner'],
    ['/schedule', 'Schedule', 'apples'],
  ])('j moves to the first row of %s', async (path, name, first) => {
    const page = await open(path)
    await page.getByRole('table', { name, exact: true }).getByText(first).first().waitFor()
    await page.keyboard.press('j')
    expect(await focused(page)).toContain(first)
  })

  test('letter keys type in a field, and can be switched off', async () => {
    const page = await open('/dags')
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('jk')
    expect(await page.getByRole('searchbox', { name: 'Filter DAGs' }).inputValue()).toBe('jk')
    await page.evaluate("localStorage.setItem('millrace.letters', 'off')")
    await page.goto(page.url().replace(/\?.*/, ''))
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
    await page.keyboard.press('j')
    expect(await focused(page)).not.toBe('apples')
  })

  test('the density sets the height of rows, even in a partly rendered list', async () => {
    await api.database.db.sql`
      insert into millrace.dag
        (file_name, dag_name, definition_hash, summary, tags, group_name, problems, max_active_runs)
      select 'many-' || lpad(n::text, 2, '0'), 'many-' || n, definition_hash, summary, tags, group_name, problems, 1
      from generate_series(1, 77) n, millrace.dag where file_name = 'apples'`
    const page = await open('/dags')
    const table = page.getByRole('table', { name: 'DAGs' })
    const heights = async (): Promise<readonly [row: number, all: number]> => {
      await table.getByRole('row', { name: /apples/ }).waitFor()
      const row = await table.getByRole('row').nth(2).boundingBox()
      const all = await table.locator('tbody').boundingBox()
      return [row?.height ?? 0, all?.height ?? 0]
    }
    const [comfortable] = await heights()
    await page.evaluate("localStorage.setItem('millrace.density', 'compact')")
    await page.reload()
    const [compact, all] = await heights()
    expect(compact).toBeLessThan(comfortable - 10)
    expect(Math.abs(all - 80 * compact)).toBeLessThan(compact)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await table.getByRole('link', { name: 'many-77' }).waitFor()
    expect(await table.getByRole('row').count()).toBeLessThan(70)
  })
})
