import { describe, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { ownDag } from '#tests/support/own-dag.ts'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

const { api, open } = await webKit()

const spec = 'steps:\n  - name: load\n    command: load all\n'
const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Spec' })
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()
const specOf = async (name: string): Promise<string> =>
  (await api.get<{ spec: string }>(`/dags/${name}/spec`)).body.spec

async function asked(page: Page, item: 'Rename…' | 'Delete…', title: string): Promise<Locator> {
  await press(page, 'More')
  await press(page, item)
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  return dialog
}

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 90_000 }, () => {
  test('renaming in the editor keeps unsaved changes, which then save without a conflict', async () => {
    await api.createDag('before', spec)
    const page = await open('/dags/before/spec')
    await box(page).fill(spec.replace('all', 'some'))
    const dialog = await asked(page, 'Rename…', 'Rename before')
    await dialog.getByText('goes along as a draft').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('textbox', { name: 'New name' }).fill('after')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'after' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dags/after/spec')
    await page.getByRole('region', { name: 'Draft' }).waitFor()
    expect(await page.getByText('saved since').count()).toBe(0)
    await press(page, 'Continue')
    await press(page, 'Save')
    await page.getByText('Saved', { exact: true }).first().waitFor()
    expect(await specOf('after')).toBe(spec.replace('all', 'some'))
    expect(await page.evaluate<number>('localStorage.length')).toBe(0)
  })

  test('the dialogs say why a taken name or a file of the DAG folder is refused', async () => {
    await api.createDag('taken', spec)
    await api.createDag('wanting', spec)
    const page = await open('/dags/wanting')
    const dialog = await asked(page, 'Rename…', 'Rename wanting')
    await dialog.getByRole('textbox', { name: 'New name' }).fill('taken')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('It was not renamed: DAG "taken" already exists').waitFor()
    await page.keyboard.press('Escape')
    await ownDag(api.database.db, 'nightly/wanting.yaml')
    const other = await asked(page, 'Delete…', 'Delete wanting')
    await other.getByRole('button', { name: 'Delete' }).click()
    await other.getByRole('alert').getByText('nightly/wanting.yaml').waitFor()
    expect(await specOf('wanting')).toBe(spec)
  })

  test('deleting in the editor keeps the draft, which is offered when the DAG is restored', async () => {
    await api.createDag('doomed', spec)
    const page = await open('/dags/doomed/spec')
    await box(page).fill(spec.replace('all', 'some'))
    const dialog = await asked(page, 'Delete…', 'Delete doomed')
    await dialog.getByText('stays in this browser').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'DAGs' }).waitFor()
    expect((await api.call('GET', '/dags/doomed')).status).toBe(404)
    await page.goBack()
    // Sooner than the page would ask again by itself.
    await page.getByRole('button', { name: 'Restore version 1' }).click({ timeout: 8_000 })
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('link', { name: 'Spec' }).click()
    await page.getByRole('region', { name: 'Draft' }).waitFor()
    await press(page, 'Continue')
    await box(page).getByText('load some').waitFor()
  })

  test('Escape closes the menu and returns the focus', async () => {
    await api.createDag('keyed', spec)
    const page = await open('/dags/keyed')
    const more = page.getByRole('button', { name: 'More' }).last()
    await more.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Rename…')
    await page.keyboard.press('Escape')
    await more.and(page.locator('[aria-expanded=false]')).waitFor()
    expect(await page.evaluate<string>('document.activeElement.textContent')).toMatch(/^More/)
  })
})
