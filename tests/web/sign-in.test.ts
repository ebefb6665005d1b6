import { describe, expect, test } from 'vitest'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const password = 'kq7Zt2vXw9Lm'
const { api, open } = await webKit({ basic: { username: 'root', password }, token: undefined })
await api.createDag('first')

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('the page asks who somebody is, then shows what was wanted, until they sign out', async () => {
    const page = await open('/dags/first')
    await page.getByRole('textbox', { name: 'User' }).fill('root')
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('Not signed in').waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'first' }).waitFor()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    await page.getByRole('status', { name: 'State' }).waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await page.getByRole('status', { name: 'State' }).count()).toBe(0)
  })
})
