import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

const { api, open } = await webKit()
const textOf = (word: string): string =>
  `schedule: "0 4 * * *"\nsteps:\n  - name: load\n    command: load ${word}\n  - name: report\n    command: report\n`
const save = (name: string, word: string, message?: string) =>
  api.call('PUT', `/dags/${name}/spec`, { body: { spec: textOf(word), message } })

async function threeVersions(name: string): Promise<void> {
  await api.createDag(name, textOf('all'))
  await save(name, 'half', 'the disk is full')
  await save(name, 'nothing')
}

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('the changes of each version, and between any two, are shown and kept in the URL', async () => {
    await threeVersions('seen')
    const page = await open('/dags/seen/versions')
    const table = page.getByRole('table', { name: 'Versions' })
    await table.getByRole('row', { name: /^Changes of version 3 .* saved/ }).waitFor()
    const last = page.getByRole('region', { name: 'Changes from version 2 to 3' })
    await last.getByRole('row', { name: '4 removed command: load half' }).waitFor()
    await last.getByRole('row', { name: '4 added command: load nothing' }).waitFor()
    await table.getByRole('link', { name: 'Changes of version 2' }).click()
    await page
      .getByRole('region', { name: 'Changes from version 1 to 2' })
      .getByText('command: load all')
      .waitFor()
    await page.getByRole('combobox', { name: 'To' }).selectOption('version 3')
    await page.getByRole('region', { name: 'Changes from version 1 to 3' }).getByText('load all').waitFor()
    expect(new URL(page.url()).search).toBe('?from=1&to=3')
    await page.getByRole('combobox', { name: 'From' }).selectOption('nothing')
    await page.getByText('6 lines added, 0 lines removed').waitFor()
  })

  test('a version is restored, with a message', async () => {
    await threeVersions('undone')
    const page = await open('/dags/undone/versions')
    await page.getByRole('button', { name: 'Restore version 2' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore version 2' })
    await dialog.getByRole('textbox', { name: 'Message' }).fill('too soon')
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await page
      .getByRole('row', { name: /^Changes of version 4 .*restored version 2 \(now\).*too soon/ })
      .waitFor()
    await page.getByRole('region', { name: 'Changes from version 3 to 4' }).getByText('load half').waitFor()
    expect((await api.get<{ spec: string }>('/dags/undone/spec')).body.spec).toBe(textOf('half'))
  })

  test('restoring asks again if another version was saved meanwhile', async () => {
    await threeVersions('overtaken')
    const page = await open('/dags/overtaken/versions')
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await save('overtaken', 'meanwhile')
    const dialog = page.getByRole('dialog', { name: 'Restore version 1' })
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await dialog.getByRole('alert').getByText('version 4 was saved meanwhile').waitFor()
    expect((await api.get<{ spec: string }>('/dags/overtaken/spec')).body.spec).toBe(textOf('meanwhile'))
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('link', { name: 'See its changes' }).click()
    await page.getByRole('region', { name: 'Changes from version 3 to 4' }).getByText('meanwhile').waitFor()
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await save('overtaken', 'again')
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await dialog.getByRole('button', { name: 'Restore anyway' }).click()
    await page.getByRole('row', { name: /^Changes of version 6 .*restored version 1 \(now\)/ }).waitFor()
  })

  test('a version is opened in the editor as a draft, without saving', async () => {
    await threeVersions('again')
    const page = await open('/dags/again/versions')
    await page.getByRole('button', { name: 'Restore version 2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Open as a draft' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('textbox', { name: 'Spec' }).getByText('half').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/dags/again/spec')
    expect((await api.get<{ spec: string }>('/dags/again/spec')).body.spec).not.toBe(textOf('half'))
  })

  test('a draft that is continued before the editor has loaded is not lost', async () => {
    await threeVersions('early')
    const page = await open('/dags/early/versions')
    const { promise, resolve: load } = Promise.withResolvers<void>()
    await page.route('**/editor-chunk*.js', async (route) => {
      await promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Restore version 2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Open as a draft' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    load()
    await page.getByRole('textbox', { name: 'Spec' }).getByText('half').first().waitFor()
  })

  test('a deleted DAG is restored from its versions', async () => {
    await threeVersions('gone')
    await api.call('DELETE', '/dags/gone')
    const page = await open('/dags/gone')
    await page.getByText('There is no such DAG').waitFor()
    await page.getByRole('button', { name: 'Restore version 4' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('row', { name: /^Changes of version 5 .*restored version 4 \(now\)/ }).waitFor()
    await page.getByRole('switch', { name: 'Scheduled' }).waitFor()
  })

  test('a failed run links to the changes since the last success', async () => {
    await api.createDag('drift', textOf('all'))
    const good = await api.start('drift')
    await api.finish(good, 'success', { load: 'success', report: 'success' })
    await save('drift', 'half')
    const bad = await api.start('drift')
    await api.finish(bad, 'failed', { load: 'failed' })
    const page = await open(`/runs/drift/${bad}`)
    await page.getByRole('link', { name: 'the definition has changed since' }).click()
    await page.getByRole('region', { name: 'Changes from version 1 to 2' }).getByText('load half').waitFor()
  })
})

describe.skipIf(browserPath === undefined)('with authentication', { timeout: 60_000 }, async () => {
  const guarded = await webKit({ basic: undefined, token: 'a-token-of-the-settings' })

  test('a viewer sees the changes, and why they cannot restore a version', async () => {
    await guarded.api.createDag('read', textOf('all'))
    await guarded.api.call('PUT', '/dags/read/spec', { body: { spec: textOf('half') } })
    const { key } = await createApiKey(guarded.api.database.db, {
      name: 'eye',
      role: 'viewer',
      createdBy: 'test',
      expiresInDays: undefined,
    })
    const page = await guarded.open('/dags/read/versions')
    await page.getByRole('button', { name: 'Use a token' }).click()
    await page.getByRole('textbox', { name: 'Token' }).fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const button = page.getByRole('button', { name: 'Restore version 1' })
    await button.waitFor()
    expect(await button.getAttribute('aria-description')).toContain('needs the role editor')
    await page.getByRole('region', { name: 'Changes from version 1 to 2' }).getByText('load half').waitFor()
  })
})
