import { describe, expect, test } from 'vitest'
import { until } from '#tests/support/until.ts'
import { browserPath, madeUpHost } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit(undefined, {
  allowedHosts: [madeUpHost],
  way: async (url) => url.replace('127.0.0.1', madeUpHost),
})
const scheduled = 'schedule: "0 4 * * *"\nsteps:\n  - {name: work, command: a}\n'

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('all actions work without TLS, where browsers disable many APIs', async () => {
    await api.createDag('orders', scheduled)
    const page = await open('/dags')
    expect(await page.evaluate('isSecureContext')).toBe(false)
    await page.getByRole('status', { name: 'Live' }).getByText('live', { exact: true }).waitFor()
    const row = page.getByRole('row', { name: /orders/ })
    await row.getByRole('switch', { name: 'Scheduled' }).click()
    await row.getByRole('switch', { name: 'Scheduled', checked: false }).waitFor()
    await row.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    const state = page.getByRole('status', { name: 'State' })
    await state.getByText('waiting').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await state.getByText('cancelled').waitFor()
    await page.getByRole('button', { name: 'Retry failed' }).click()
    await state.getByText('waiting').waitFor()
    await page.getByRole('button', { name: 'Run again…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Enqueue' }).click()
    await until('a second run exists', async () => {
      const { body } = await api.get<{ dagRuns: unknown[] }>('/dag-runs?name=orders')
      return body.dagRuns.length === 2
    })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('new dag')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'mine' }).waitFor()
  })
})
