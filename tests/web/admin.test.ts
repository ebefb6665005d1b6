import { describe, expect, test } from 'vitest'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createRemoteNodes } from '#lib/api/remote-nodes/remote-nodes.ts'
import { roles, type Role } from '#lib/core/roles.ts'
import { keepHeartbeat } from '#lib/processes/keep-heartbeat.ts'
import { recordHeartbeat } from '#lib/tick/record-heartbeat.ts'
import { createUser } from '#lib/users/create-user.ts'
import { browserPath } from './browser.ts'
import { faultsInBothThemes, faultsOf, webKit } from './kit.ts'

const token = 'a-token-of-the-settings'
const password = 'quiet-otter-4711'
const { api, open } = await webKit(
  { basic: undefined, token },
  {
    remoteNodes: createRemoteNodes([
      { name: 'berlin', baseUrl: 'http://127.0.0.1:1/api/v2', authorization: 'Bearer hunter2-hunter2' },
    ]),
  },
)
const { db } = api.database
for (const role of roles) await createUser(db, { username: `the-${role}`, password, role })
await recordHeartbeat(db)
keepHeartbeat(db, { part: 'runner', version: '0.0.9' })

async function signIn(page: Page, role: Role): Promise<void> {
  await page.getByRole('textbox', { name: 'User' }).fill(`the-${role}`)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'detached' })
}
async function openAs(role: Role, path: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await open(path, options)
  await signIn(page, role)
  return page
}
const row = (page: Page, name: RegExp) => page.getByRole('row', { name })
const said = (page: Page, text: string) =>
  page.getByRole('status', { name: 'Announcements' }).getByText(text).waitFor()

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test.each(['viewer', 'operator', 'editor'] as const)(
    'the admin pages tell a %s which role they need',
    async (role) => {
      const page = await openAs(role, '/admin/audit')
      await page.getByText(`It needs the role admin; you are ${role}.`).waitFor()
      expect(await page.getByRole('table').count()).toBe(0)
      expect(await faultsOf(page)).toEqual([])
    },
  )

  test('a user is created, changed, signed out and deleted', async () => {
    const page = await openAs('admin', '/admin')
    await page.getByRole('table', { name: 'Users' }).waitFor()
    await page.getByRole('button', { name: 'New user' }).click()
    const made = page.getByRole('dialog', { name: 'New user' })
    await made.getByRole('textbox', { name: 'User' }).fill('bob')
    await made.getByRole('combobox', { name: 'Role' }).selectOption('operator')
    await made.getByRole('textbox', { name: 'Password' }).fill('12345678')
    await made.getByRole('button', { name: 'Create' }).click()
    await made
      .getByRole('alert')
      .getByText('12345678', { exact: false })
      .or(made.getByRole('alert'))
      .waitFor()
    await made.getByRole('textbox', { name: 'Password' }).fill(password)
    await made.getByRole('button', { name: 'Create' }).click()
    await row(page, /bob operator active/).waitFor()
    await said(page, 'bob was created')

    await row(page, /bob/).getByRole('button', { name: 'Edit' }).click()
    const edited = page.getByRole('dialog', { name: 'Edit bob' })
    expect(await edited.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('operator')
    await edited.getByRole('combobox', { name: 'Role' }).selectOption('viewer')
    await edited.getByRole('checkbox', { name: 'Disabled' }).check()
    await edited.getByRole('textbox', { name: 'New password' }).fill('loud-heron-1147')
    await edited.getByRole('button', { name: 'Save' }).click()
    await row(page, /bob viewer disabled/).waitFor()

    await row(page, /bob/).getByRole('button', { name: 'Sign out' }).click()
    await said(page, 'bob is signed out everywhere')
    await row(page, /bob/).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete bob' }).getByRole('button', { name: 'Delete' }).click()
    await row(page, /bob/).waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Audit' }).click()
    const changed = row(page, /updateUser/)
    await changed.getByText('role: operator → viewer').waitFor()
    await changed.getByText('password: changed').waitFor()
    expect(await page.getByRole('table', { name: 'Audit' }).innerText()).not.toContain('heron')
  })

  test('a key is shown once, works, and is revoked', async () => {
    const page = await openAs('admin', '/admin/keys')
    await page.getByText('There is no key').waitFor()
    await page.getByRole('button', { name: 'New key' }).click()
    const made = page.getByRole('dialog', { name: 'New key' })
    await made.getByRole('textbox', { name: 'Name' }).fill('ci')
    await made.getByRole('combobox', { name: 'Role' }).selectOption('operator')
    await made.getByRole('spinbutton', { name: 'Days until it expires' }).fill('90')
    await made.getByRole('button', { name: 'Create' }).click()
    const shown = page.getByRole('dialog', { name: 'Key ci' })
    const key = await shown.getByText(/^mr_\S+$/).innerText()
    await page.keyboard.press('Escape')
    expect(await shown.isVisible()).toBe(true)
    expect(await faultsOf(page)).toEqual([])
    await shown.getByRole('button', { name: 'Done' }).click()
    await row(page, /ci .* operator the-admin never/).waitFor()
    expect(await page.content()).not.toContain(key)
    const call = () =>
      fetch(new URL('/api/v2/dags', page.url()), { headers: { authorization: `Bearer ${key}` } })
    expect((await call()).status).toBe(200)
    await row(page, /ci/).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: 'Revoke ci' }).getByRole('button', { name: 'Revoke' }).click()
    await row(page, /ci .* revoked/).waitFor()
    expect((await call()).status).toBe(401)
  })

  test('the audit log is filtered by fields, which the URL keeps', async () => {
    const page = await openAs('admin', '/admin/audit?action=createSession')
    await row(page, /the-admin/)
      .first()
      .waitFor()
    expect(await page.getByRole('textbox', { name: 'Action' }).inputValue()).toBe('createSession')
    await page.getByRole('textbox', { name: 'Who' }).fill('nobody-like-it')
    await page.keyboard.press('Enter')
    await page.getByText('No entry matches the filter').waitFor()
    expect(new URL(page.url()).searchParams.get('actor')).toBe('nobody-like-it')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await row(page, /the-admin/)
      .first()
      .waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('the system page shows findings, processes with versions, and migrations', async () => {
    const page = await openAs('admin', '/admin/system')
    const findings = page.getByRole('table', { name: 'Findings' })
    await findings.getByRole('row', { name: /database (ok|warning) PostgreSQL/ }).waitFor()
    await findings.getByRole('row', { name: /runners warning 0 alive/ }).waitFor()
    const processes = page.getByRole('table', { name: 'Processes' })
    await processes.getByRole('row', { name: /runner .* 0\.0\.9 \(another than answers\) alive/ }).waitFor()
    await page.getByRole('table', { name: 'Tickers' }).getByText('active').waitFor()
    await page.getByText(/\d+ applied, 0 pending/).click()
    await page.getByText(/^0001_/).waitFor()
    await page.getByText('No runner is connected').waitFor()
  })

  test('the settings and the nodes show no secret', async () => {
    const page = await openAs('admin', '/admin/settings')
    await row(page, /MILLRACE_PORT .* 8080 default/).waitFor()
    await row(page, /MILLRACE_AUTH_TOKEN .* not set default/).waitFor()
    await page.getByRole('link', { name: 'Nodes' }).click()
    await row(page, /berlin unreachable node "berlin" cannot be reached/).waitFor()
    expect(await page.content()).not.toContain('hunter2')
  })

  test('the chosen time zone, density, start page and time format are kept', async () => {
    const page = await openAs('admin', '/settings')
    const choose = (name: string) => page.getByRole('radio', { name, exact: true }).check()
    await choose('UTC')
    await choose('compact')
    await choose('Runs')
    await choose('exact')
    await page.goto(new URL('/', page.url()).href)
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/runs')
    expect(await page.locator('html').getAttribute('data-density')).toBe('compact')
    await page.goto(new URL('/admin', page.url()).href)
    const time = page.getByRole('table', { name: 'Users' }).locator('time').first()
    expect(await time.getAttribute('title')).toContain('UTC')
    expect(await time.innerText()).toMatch(/^[A-Z][a-z]{2} \d+, 20\d\d, /)
    await page.goto(new URL('/settings', page.url()).href)
    expect(await page.getByRole('radio', { name: 'UTC' }).isChecked()).toBe(true)
  })

  test.each([1280, 375])('has no accessibility violations in either theme at %i pixels', async (width) => {
    const page = await openAs('admin', '/admin', { colorScheme: 'light', viewport: { width, height: 800 } })
    for (const [path, name] of [
      ['', 'Users'],
      ['/audit', 'Audit'],
      ['/system', 'Findings'],
      ['/settings', 'Settings'],
      ['/nodes', 'Nodes'],
    ] as const) {
      await page.goto(new URL(`/admin${path}`, page.url()).href)
      await page.getByRole('table', { name }).waitFor()
      expect({ name, faults: await faultsInBothThemes(page) }).toEqual({ name, faults: [] })
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    }
    await page.goto(new URL('/admin', page.url()).href)
    await page.getByRole('button', { name: 'New user' }).click()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.goto(new URL('/settings', page.url()).href)
    await page.getByRole('radio', { name: 'compact' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})
