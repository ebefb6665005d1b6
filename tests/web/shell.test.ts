import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

const { api, open } = await webKit()
await api.createDag('orders')
await api.createDag('nightly-orders')
await api.createDag('mail')
const run = await api.start('mail', { dagRunId: 'abcdef-77' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const at = document.activeElement
    return at.id || at.getAttribute('aria-label') || at.textContent.trim()
  })()`)

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('the palette leads to DAGs, runs and pages by keyboard', async () => {
    const page = await open('/runs')
    await heading(page, 'Runs')
    await page.keyboard.press('Control+k')
    const field = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox', { name: 'Go to' })
    await field.waitFor()
    expect(await focused(page)).toBe('Go to')
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.type('orders')
    const options = page.getByRole('dialog').getByRole('option')
    await options.filter({ hasText: 'nightly-orders' }).waitFor()
    await options.filter({ hasText: 'mail' }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    const chosen = await page.getByRole('dialog').getByRole('option', { selected: true }).innerText()
    await page.keyboard.press('Enter')
    await heading(page, chosen.split('\n')[0] ?? '')
    expect(await page.getByRole('dialog').count()).toBe(0)

    await page.keyboard.press('/')
    await field.fill('def-77')
    await options.filter({ hasText: run }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'mail')
    expect(page.url()).toContain(run)

    await page.getByRole('button', { name: 'Go to' }).click()
    await field.fill('new')
    await page.keyboard.press('Enter')
    await heading(page, 'New DAG')
  })

  test('Escape closes the palette and returns the focus', async () => {
    const page = await open('/dags')
    await heading(page, 'DAGs')
    await page.getByRole('button', { name: 'Go to' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Go to' }).fill('nothing has this name')
    await page.getByText('Nothing has this name').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused(page)).toContain('Go to')
  })

  test('letter keys lead to pages, until they are switched off', async () => {
    const page = await open('/dags')
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await heading(page, 'Runs')
    expect(await page.title()).toBe('Runs – Millrace')
    await expect.poll(() => focused(page)).toBe('main')
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await heading(page, 'DAGs')
    await expect.poll(() => focused(page)).toBe('main')
    await page.keyboard.press('/')
    await expect.poll(() => focused(page)).toBe('Filter DAGs')
    await page.keyboard.type('gr?')
    expect(await page.getByRole('dialog').count()).toBe(0)

    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys' })
    await help.getByRole('switch', { name: 'Keys without Ctrl', checked: true }).click()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.reload()
    await heading(page, 'DAGs')
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to' }).waitFor()
    expect(await help.count()).toBe(0)
  })

  test('Tab leads from the skip link through the head and the page, and around', async () => {
    const page = await open('/dags')
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
    const seen: string[] = []
    for (let count = 0; count < 14; count += 1) {
      await page.keyboard.press('Tab')
      seen.push(await focused(page))
    }
    expect(seen.map((name) => name.replace(/\s*Ctrl K$/, ''))).toEqual([
      'Skip to the page',
      'Millrace',
      'DAGs',
      'Runs',
      'Queues',
      'Runners',
      'Schedule',
      'Overview',
      'Admin',
      'Go to',
      'Account',
      'Filter DAGs',
      'Grid',
      'New DAG',
    ])
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')
    expect(Number.parseFloat(String(outline))).toBeGreaterThanOrEqual(2)
    const names = new Set<string>()
    for (let count = 0; count < 60 && !names.has('Skip to the page'); count += 1) {
      await page.keyboard.press('Tab')
      names.add(await focused(page))
    }
    expect(names).toContain('Skip to the page')
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('main')
  })

  test('the theme is kept, even if the palette changes it', async () => {
    const page = await open('/dags')
    const scheme = () => page.evaluate('document.documentElement.style.colorScheme')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('radio', { name: 'dark' }).check()
    expect(await scheme()).toBe('dark')
    await page.reload()
    await heading(page, 'DAGs')
    expect(await scheme()).toBe('dark')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('theme system')
    await page.keyboard.press('Enter')
    expect(await scheme()).toBe('')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('radio', { name: 'system', checked: true }).waitFor()
  })

  test('the palette is loaded on demand', async () => {
    const page = await open('/livez')
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
    await page.goto(new URL('/dags', page.url()).href)
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
    expect(scripts.filter((path) => /palette|key-help|import/.test(path))).toEqual([])
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to' }).waitFor()
    expect(scripts.filter((path) => path.includes('palette'))).toHaveLength(1)
  })
})
