import { afterAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { startProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

let proxy: TcpProxy | undefined
const { api, open } = await webKit(undefined, {
  way: async (url) => {
    proxy = await startProxy(url)
    afterAll(() => proxy?.close())
    return proxy.through(url)
  },
})
await api.createDag('orders')
const sign = (page: Page, word: string) =>
  page.getByRole('status', { name: 'Live' }).getByText(word, { exact: true }).waitFor()

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 90_000 }, () => {
  test('the page keeps its content while the API is down, and refreshes it afterwards', async () => {
    const page = await open('/runs')
    await api.start('orders', { dagRunId: 'before' })
    await page.locator('a[href$="before"]').first().waitFor()
    await sign(page, 'live')
    await proxy?.way('refusing')
    proxy?.cut('reset')
    await sign(page, 'offline')
    expect(await page.locator('a[href$="before"]').first().isVisible()).toBe(true)
    await page.getByRole('alert').getByText('the service cannot be reached').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await api.start('orders', { dagRunId: 'meanwhile' })
    await proxy?.way('open')
    await page.locator('a[href$="meanwhile"]').first().waitFor()
    await sign(page, 'live')
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('a slow API shows a loading state, never an empty one', async () => {
    const page = await open('/livez')
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api/v2/dags?*', async (route) => {
      asked()
      await mayAnswer
      await route.continue()
    })
    await page.goto(new URL('/dags', page.url()).href)
    await isAsked
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    expect(await page.getByText('There is no DAG').count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
    answer()
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
    expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
  })

  test('a refused request shows its message and request id, and can be retried', async () => {
    const page = await open('/livez')
    let tries = 0
    await page.route('**/api/v2/dags?*', async (route) => {
      tries += 1
      if (tries > 1) return route.continue()
      await route.fulfill({
        status: 403,
        contentType: 'application/json',
        headers: { 'x-request-id': 'request-of-the-test' },
        body: '{"code":"forbidden","message":"needs the role viewer"}',
      })
    })
    await page.goto(new URL('/dags', page.url()).href)
    const alert = page.getByRole('alert')
    await alert.getByText('needs the role viewer').waitFor()
    expect(await alert.innerText()).toContain('request-of-the-test')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
  })

  test('a filter without matches can be cleared', async () => {
    const page = await open('/dags?q=nothing-like-it')
    await page.getByText('No DAG matches the filter').waitFor()
    await page.getByRole('button', { name: 'Show all DAGs' }).click()
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })
})
