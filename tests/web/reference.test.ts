import { describe, expect, test } from 'vitest'
import { routes } from '#functions/api/routes.ts'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

const { api, open } = await webKit()

describe.skipIf(browserPath === undefined)('the reference of the API', { timeout: 60_000 }, () => {
  test('/api/docs lists every operation, and the filter narrows the list', async () => {
    const page = await open('/api/docs')
    await page.getByRole('heading', { level: 1, name: 'API' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/reference')
    const shown = page.locator('details')
    await shown.first().waitFor()
    expect(await shown.count()).toBeGreaterThanOrEqual(routes.length)
    await page.getByRole('searchbox', { name: 'Filter operations' }).fill('post /dags start')
    await page.waitForURL(/q=post/)
    expect(await shown.count()).toBeLessThan(10)
    expect(await faultsOf(page)).toEqual([])
  })

  test('a link opens an operation, which can be called from the page', async () => {
    await api.createDag('called')
    const page = await open('/reference#getDag')
    const form = page.getByRole('form', { name: 'Call getDag' })
    await form.getByRole('textbox', { name: 'fileName' }).fill('called')
    await form.getByRole('button', { name: 'Call' }).click()
    const answer = form.getByRole('textbox', { name: 'Answer' })
    await expect.poll(() => answer.inputValue()).toMatch(/^200\n[^]*"name": "called"/)
    await form.getByRole('textbox', { name: 'fileName' }).fill('absent')
    await form.getByRole('button', { name: 'Call' }).click()
    await expect.poll(() => answer.inputValue()).toMatch(/^404\n[^]*not_found/)
    expect(await page.getByRole('table', { name: 'Parameters' }).getByRole('row').count()).toBeGreaterThan(1)
    expect(await faultsOf(page)).toEqual([])
  })
})
