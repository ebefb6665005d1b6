import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { createUser } from '#lib/users/create-user.ts'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const open = await webKit()
const guarded = await webKit({ basic: undefined, token: 'a-token' })
await createUser(guarded.api.database.db, { username: 'ann', password: 'correct horse', role: 'viewer' })
for (const { api } of [open, guarded]) {
  await api.createDag('sound')
  await api.finish(await api.start('sound'), 'failed', { work: 'failed' })
}

async function save(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Views…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Saved views' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Save the current view' }).click()
  await dialog.getByRole('listitem').filter({ hasText: name }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
}
const viewsOf = (page: Page) => page.getByRole('navigation', { name: 'Saved views' })

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('a view is saved, opened, renamed and deleted in a browser without users', async () => {
    const page = await open.open('/runs?q=failed%20dag:sound&last=7d')
    await page.getByRole('row', { name: /sound/ }).waitFor()
    await save(page, 'Bad nights')
    await page.goto(`${open.url}/runs`)
    await viewsOf(page).getByRole('link', { name: 'Bad nights' }).click()
    await page.waitForURL((url) => url.searchParams.get('q') === 'failed dag:sound')
    expect(new URL(page.url()).searchParams.get('last')).toBe('7d')
    await viewsOf(page).locator('[aria-current=page]').waitFor()
    await page.getByRole('button', { name: 'Views…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Saved views' })
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await dialog.getByRole('textbox', { name: 'New name of Bad nights' }).fill('Failures')
    await dialog.locator('form').getByRole('button', { name: 'Rename' }).click()
    await dialog.getByRole('listitem').filter({ hasText: 'Failures' }).waitFor()
    await page.goto(`${open.url}/dags`)
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
    expect(await viewsOf(page).count()).toBe(0)
    await page.goto(`${open.url}/runs`)
    await viewsOf(page).getByRole('link', { name: 'Failures' }).waitFor()
    await page.getByRole('button', { name: 'Views…' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('A view saves the filters').waitFor()
    expect(await viewsOf(page).count()).toBe(0)
  })

  test('the views of a user are available in another browser', async () => {
    const signIn = async (page: Page): Promise<void> => {
      await page.getByRole('textbox', { name: 'User' }).fill('ann')
      await page.getByLabel('Password').fill('correct horse')
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    const first = await guarded.open('/dags?q=sound&tab=failed')
    await signIn(first)
    await save(first, 'Broken')
    const second = await guarded.open('/dags')
    await signIn(second)
    await viewsOf(second).getByRole('link', { name: 'Broken' }).click()
    await second.waitForURL((url) => url.searchParams.get('tab') === 'failed')
    expect(await second.evaluate("localStorage.getItem('millrace.preferences')")).toBeNull()
  })
})
