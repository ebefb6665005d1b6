import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { createUser } from '#lib/users/create-user.ts'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

const password = 'kq7Zt2vXw9Lm'
const { api, open } = await webKit({ basic: { username: 'root', password }, token: undefined })
const { db } = api.database
await api.createDag('first')
await api.createDag('asked', 'params: [NAME: world]\nsteps:\n  - {name: say, command: echo}\n')
await createUser(db, { username: 'looker', password, role: 'viewer' })
const endSessions = () => db.sql`delete from millrace.session`

async function signIn(page: Page, user = 'root'): Promise<void> {
  await page.getByRole('textbox', { name: 'User' }).fill(user)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('signing in shows the requested page, until signing out', async () => {
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
    await page.getByText('root (admin)').waitFor()
    const ended = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect((await (await ended).allHeaders())['clear-site-data']).toBe('"cache"')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await page.getByRole('status', { name: 'State' }).count()).toBe(0)
  })

  test('a viewer can read the text of a DAG, and sees which role may change it', async () => {
    const page = await open('/dags/asked/spec')
    await signIn(page, 'looker')
    await page.getByRole('textbox', { name: 'Spec' }).waitFor()
    await page.getByText('Read-only: needs the role editor').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
  })

  test('a token signs in', async () => {
    const { key } = await createApiKey(db, {
      name: 'mine',
      role: 'operator',
      createdBy: 'test',
      expiresInDays: undefined,
    })
    const page = await open('/dags')
    await page.getByRole('button', { name: 'Use a token' }).click()
    await page.getByRole('textbox', { name: 'Token' }).fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
  })

  test('after a session has expired, a dialog asks to sign in again and the interrupted action continues', async () => {
    const page = await open('/dags/asked')
    await signIn(page)
    await page.getByRole('button', { name: 'Start' }).click()
    const start = page.getByRole('dialog', { name: 'Start asked' })
    await start.getByRole('textbox', { name: 'NAME' }).fill('typed before')
    await endSessions()
    await start.getByRole('button', { name: 'Start' }).click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await again.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await signIn(page)
    await page.getByRole('heading', { level: 1, name: 'asked' }).waitFor()
    await page.getByRole('list', { name: 'Params' }).getByText('typed before').waitFor()
    const { body } = await api.get<{ dagRuns: unknown[] }>('/dag-runs?name=asked')
    expect(body.dagRuns).toHaveLength(1)
  })

  test('a stream that ends with the session asks to sign in again at once', async () => {
    const page = await open('/runs')
    await signIn(page)
    await page.getByRole('status', { name: 'Live' }).getByText('live', { exact: true }).waitFor()
    await endSessions()
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await signIn(page)
    await page.getByRole('status', { name: 'Live' }).getByText('live', { exact: true }).waitFor()
  })

  test('an interrupted action is dropped if another user signs in', async () => {
    await api.createDag('left')
    const page = await open('/dags/left')
    await signIn(page)
    await page.getByRole('button', { name: 'Start' }).click()
    await endSessions()
    await page.getByRole('dialog', { name: 'Start left' }).getByRole('button', { name: 'Start' }).click()
    await page.getByRole('button', { name: 'Leave the page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await signIn(page, 'looker')
    await page.getByRole('heading', { level: 1, name: 'left' }).waitFor()
    const { body } = await api.get<{ dagRuns: unknown[] }>('/dag-runs?name=left')
    expect(body.dagRuns).toEqual([])
  })

  test('a viewer sees forbidden actions disabled, with the reason', async () => {
    const page = await open('/dags/first')
    await signIn(page, 'looker')
    const start = page.getByRole('button', { name: 'Start' })
    await start.and(page.getByRole('button', { disabled: true })).waitFor()
    expect(await start.getAttribute('title')).toBe('needs the role operator; you are viewer')
    await start.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('switch', { name: 'Scheduled', disabled: true }).count()).toBe(1)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'DAGs' }).click()
    await page.getByRole('row', { name: /first/ }).waitFor()
    expect(await page.getByRole('button', { name: 'New DAG', disabled: true }).count()).toBe(1)
  })
})
