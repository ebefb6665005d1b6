import { afterAll, describe, expect, test } from 'vitest'
import { browserPath } from './browser.ts'
import { startFront } from './front.ts'
import { webKit } from './kit.ts'

const prefix = '/tools/millrace'
const { api, open } = await webKit(undefined, {
  way: async (url) => {
    const front = await startFront(url, { prefix })
    afterAll(front.close)
    return front.url
  },
})
await api.createDag('orders')

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('links, calls, the stream and lazy scripts work below the path of a proxy', async () => {
    const page = await open('/dags/orders')
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    await page.getByRole('status', { name: 'State' }).getByText('waiting').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('status', { name: 'Live' }).getByText('live', { exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`${prefix}/runs`)
    await api.claim()
    await page.getByRole('row', { name: /running orders/ }).waitFor()
    await page.reload()
    await page.getByRole('table', { name: 'Runs' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('orders')
    await page.getByRole('option', { name: 'orders DAG' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'orders' }).waitFor()
    expect(paths.length).toBeGreaterThan(5)
    expect(paths.filter((path) => !path.startsWith(`${prefix}/`))).toEqual([])
  })
})
