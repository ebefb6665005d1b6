import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

const { api, open } = await webKit()
await api.createDag('orders')
for (let count = 0; count < 30; count++) {
  const run = await api.start('orders')
  await api.claim()
  await api.finish(run, 'success', { work: 'success' })
}

const phone = { viewport: { width: 375, height: 667 }, isMobile: true, hasTouch: true }
const mainOf = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const namesOf = (page: Page): Promise<string[]> =>
  mainOf(page).getByRole('link').or(mainOf(page).getByRole('button')).allInnerTexts()
const shown = ['DAGs', 'Runs', 'Queues', 'Runners', 'More']

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('the navigation is at the bottom with large targets, and More opens the other links', async () => {
    const page = await open('/dags', phone)
    await heading(page, 'DAGs')
    expect(await namesOf(page)).toEqual(shown)
    const bar = await mainOf(page).boundingBox()
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(phone.viewport.height)
    await mainOf(page).getByRole('button', { name: 'More' }).tap()
    for (const name of ['Runs', 'Schedule', 'Overview', 'Admin']) {
      const box = await mainOf(page).getByRole('link', { name }).boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(44)
    }
    expect(await faultsOf(page)).toEqual([])
    await mainOf(page).getByRole('link', { name: 'Schedule' }).tap()
    await heading(page, 'Schedule')
    expect(await namesOf(page)).toEqual(shown)
    await mainOf(page).getByRole('button', { name: 'More' }).tap()
    await mainOf(page)
      .getByRole('link', { name: 'Schedule' })
      .and(page.locator('[aria-current=page]'))
      .waitFor()
  })

  test('More is opened by keyboard, the next Tab leads into it, and Escape returns the focus', async () => {
    const page = await open('/runs', { viewport: phone.viewport })
    await heading(page, 'Runs')
    const more = mainOf(page).getByRole('button', { name: 'More' })
    await more.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await mainOf(page).getByRole('link', { name: 'Schedule' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await more.and(page.locator(':focus')).waitFor()
    expect(await namesOf(page)).toEqual(shown)
  })

  test('the navigation covers neither the last row nor the selection bar', async () => {
    const page = await open('/runs', phone)
    await page.getByRole('table', { name: 'Runs' }).waitFor()
    const bar = (await mainOf(page).boundingBox())?.y ?? 0
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    const last = await page.getByRole('row').last().boundingBox()
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(bar)
    await page.getByRole('checkbox', { name: 'Select all runs shown' }).click()
    const selection = await page.getByRole('region', { name: 'Selection' }).boundingBox()
    expect((selection?.y ?? 0) + (selection?.height ?? 0)).toBeLessThanOrEqual(bar)
  })

  test.each([768, 900, 901, 1_021, 1_141, 1_261])(
    'all links fit at %i pixels without horizontal scrolling',
    async (width) => {
      const page = await open('/dags', { viewport: { width, height: 700 } })
      await heading(page, 'DAGs')
      expect(await mainOf(page).getByRole('link').allInnerTexts()).toHaveLength(7)
      const sideways = await page.evaluate(
        `[document.documentElement, document.querySelector('nav')]
        .some((box) => box.scrollWidth > box.clientWidth)`,
      )
      expect(sideways).toBe(false)
    },
  )
})
