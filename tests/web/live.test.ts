import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()
await api.createDag('orders')
await api.createDag('other')

const sign = (page: Page, word: string) =>
  page.getByRole('status', { name: 'Live' }).getByText(word, { exact: true }).waitFor()

/** Makes the tab visible or hidden, as browsers do. */
const show = (page: Page, isShown: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${!isShown} })
    Object.defineProperty(document, 'visibilityState', {
      configurable: true, value: '${isShown ? 'visible' : 'hidden'}',
    })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  `)

/** Collects the paths of API calls from now on. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/v2/')) calls.push(pathname.slice('/api/v2'.length))
  })
  return calls
}

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('the row of a run follows its state without another call', async () => {
    const page = await open('/runs?q=dag:orders')
    await sign(page, 'live')
    const calls = callsOf(page)
    const table = page.getByRole('table', { name: 'Runs' })
    const run = await api.start('orders')
    await table.getByRole('row', { name: /waiting orders/ }).waitFor()
    await api.claim()
    await table.getByRole('row', { name: /running orders/ }).waitFor()
    await api.finish(run, 'failed', { work: 'failed' })
    await table.getByRole('row', { name: /failed orders/ }).waitFor()
    expect(calls).toEqual([])
  })

  test('only the row of the changed DAG is updated', async () => {
    const page = await open('/dags')
    await sign(page, 'live')
    const rows = page.getByRole('table', { name: 'DAGs' }).getByRole('row')
    const touched = await page.evaluateHandle(`(() => {
      const names = new Set()
      new MutationObserver((records) => {
        for (const { target, addedNodes, removedNodes, type } of records) {
          const changed = type === 'characterData' ? [target] : [...addedNodes, ...removedNodes]
          if (type !== 'attributes' && changed.every((node) => node.nodeValue === '')) continue
          const element = target.nodeType === 1 ? target : target.parentElement
          // Relative times change with the clock.
          if (element.closest('time') !== null) continue
          const row = element.closest('tr')
          names.add(row?.querySelector('a')?.textContent ?? 'no row')
        }
      }).observe(document.querySelector('tbody'), {
        subtree: true, childList: true, characterData: true, attributes: true,
      })
      return names
    })()`)
    const run = await api.start('other')
    await api.claim()
    await rows.filter({ hasText: 'other' }).getByText('running').waitFor()
    await api.finish(run, 'success', { work: 'success' })
    await rows.filter({ hasText: 'other' }).getByText('succeeded', { exact: true }).waitFor()
    expect(await touched.evaluate((names) => [...(names as Set<string>)])).toEqual(['other'])
  })

  test('the page of a run follows its steps without polling', async () => {
    const run = await api.start('orders')
    const page = await open(`/runs/orders/${run}`)
    await sign(page, 'live')
    const calls = callsOf(page)
    await api.claim()
    const state = page.getByRole('status', { name: 'State' })
    await state.getByText('running').waitFor()
    await api.finish(run, 'failed', { work: 'failed' })
    await state.getByText('failed').waitFor()
    await page.getByRole('row', { name: 'work failed' }).first().waitFor()
    expect(calls.filter((path) => path.endsWith('/outline'))).toEqual([])
    await sign(page, 'polling')
  })

  test('without a stream the page polls, and reconnects when the service says', async () => {
    const page = await open('/livez')
    await page.clock.install()
    let refusals = 0
    await page.route('**/api/v2/events?*', async (route) => {
      if (refusals++ > 0) return route.continue()
      await route.fulfill({
        status: 503,
        headers: { 'retry-after': '8' },
        contentType: 'application/json',
        body: '{"code":"service_unavailable","message":"500 event streams are already open; try again"}',
      })
    })
    const refused = page.waitForResponse((response) => response.status() === 503)
    await page.goto(new URL('/runs', page.url()).href)
    await refused
    await sign(page, 'polling')
    const run = await api.start('orders', { dagRunId: 'seen-by-polling' })
    await page.clock.fastForward(2_000)
    await page.locator(`a[href$="${run}"]`).first().waitFor()
    expect(refusals).toBe(1)
    await page.clock.fastForward(8_000)
    await sign(page, 'live')
    expect(refusals).toBe(2)
  })

  test('the page polls after a proxy has cut the stream twice', async () => {
    const page = await open('/livez')
    let tries = 0
    await page.route('**/api/v2/events?*', (route) => {
      tries += 1
      return route.fulfill({
        contentType: 'text/event-stream',
        body: 'id: \nevent: same\ndata: {"topic":"runs"}\n\n',
      })
    })
    await page.goto(new URL('/runs', page.url()).href)
    const run = await api.start('orders', { dagRunId: 'seen-without' })
    await page.locator(`a[href$="${run}"]`).first().waitFor()
    await api.claim()
    await page
      .getByRole('row', { name: /running/ })
      .first()
      .waitFor()
    await sign(page, 'polling')
    expect(tries).toBe(2)
  })

  test('an idle page makes no calls, and a hidden tab holds no stream', async () => {
    const page = await open('/livez')
    await page.clock.install()
    await page.goto(new URL('/dags', page.url()).href)
    await sign(page, 'live')
    const calls = callsOf(page)
    await page.clock.fastForward(30_000)
    await sign(page, 'live')
    await show(page, false)
    await page.clock.fastForward(16_000)
    await sign(page, 'polling')
    await page.clock.fastForward(600_000)
    expect(calls).toEqual([])
    const run = await api.start('orders')
    await show(page, true)
    await page.locator(`a[href$="${run}"]`).first().waitFor()
    await sign(page, 'live')
  })

  test('seven tabs of one browser all load', async () => {
    const first = await open('/runs')
    await sign(first, 'live')
    const tabs = await Promise.all(Array.from({ length: 6 }, () => first.context().newPage()))
    for (const tab of tabs) await tab.goto(first.url())
    await tabs.at(-1)?.getByRole('table', { name: 'Runs' }).waitFor()
  })
})
