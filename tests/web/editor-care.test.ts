import { afterAll, describe, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { createWebPage } from '#lib/api/web-page/web-page.ts'
import { listen } from '#local/listen.ts'
import { builtPage } from '#tests/support/built-page.ts'
import { until } from '#tests/support/until.ts'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

const { api, open } = await webKit()
const page = createWebPage(await builtPage())
const parts = page && api.with({ page, isOneInstance: true })

/** A service on the same database that can be restarted on the same port. */
const serve = (port: number) =>
  listen(parts?.fetch ?? expect.fail('the page was not built'), {
    host: '127.0.0.1',
    port,
    trustedProxies: [],
  })

const spec = `schedule: "0 4 * * *"
params:
  - REGION: north
steps:
  - name: load
    id: load
    command: load all
  - name: report
    command: report
`
const specOf = async (name: string): Promise<string> =>
  (await api.get<{ spec: string }>(`/dags/${name}/spec`)).body.spec
const box = (at: Page): Locator => at.getByRole('textbox', { name: 'Spec' })
const press = (at: Page, name: string): Promise<void> => at.getByRole('button', { name, exact: true }).click()

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 90_000 }, () => {
  test('an open editor survives a restart of the service without losing text', async () => {
    await api.createDag('restarted', spec)
    const before = await serve(0)
    const port = Number(new URL(before.url).port)
    const tab = await open('/dags')
    await tab.goto(`${before.url}/dags/restarted/spec`)
    await tab.getByText('No problems').waitFor()
    await before.close()
    await box(tab).fill(spec.replace('load all', 'load $NOBODY'))
    await tab.getByText('Not checked: the service cannot be reached').waitFor()
    await press(tab, 'Save')
    await tab.getByRole('alert').getByText('Not saved: the service cannot be reached').waitFor()
    await until('the draft is kept', async () =>
      (await tab.evaluate<number>('localStorage.length')) > 0 ? true : undefined,
    )
    const after = await serve(port)
    afterAll(() => after.close())
    await tab.getByRole('list', { name: 'Problems' }).getByText('$NOBODY').waitFor()
    expect(await tab.getByText('Not checked').count()).toBe(0)
    await press(tab, 'Save')
    await tab.getByText('Saved', { exact: true }).first().waitFor()
    expect(await specOf('restarted')).toContain('$NOBODY')
    expect(await tab.getByRole('alert').count()).toBe(0)
  })

  test('on a phone, conflicting changes are merged in one text, and a button takes the other lines', async () => {
    await api.createDag('pocket', spec)
    const tab = await open('/dags/pocket/spec', { viewport: { width: 375, height: 800 } })
    await tab.getByText('No problems').waitFor()
    const theirs = spec.replace('load all', 'load theirs').replace('"0 4', '"0 5')
    await api.call('PUT', '/dags/pocket/spec', { body: { spec: theirs } })
    await box(tab).fill(spec.replace('load all', 'load mine'))
    await press(tab, 'Save')
    const dialog = tab.getByRole('dialog', { name: 'Changed meanwhile' })
    await dialog.getByRole('textbox', { name: 'Merged' }).getByText('load mine').waitFor()
    expect(await dialog.getByRole('textbox').count()).toBe(1)
    expect(await faultsOf(tab)).toEqual([])
    expect(
      await tab.evaluate<boolean>(
        '(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector("dialog"))',
      ),
    ).toBe(false)
    await press(tab, 'Take these')
    await press(tab, 'Save merged')
    await dialog.waitFor({ state: 'hidden' })
    expect(await specOf('pocket')).toBe(theirs)
  })

  test('the changes show which starts an edited schedule adds and removes', async () => {
    await api.createDag('timed', spec)
    const tab = await open('/dags/timed/spec')
    await tab.getByText('No problems').waitFor()
    await tab.getByRole('tab', { name: 'Changes' }).click()
    await box(tab).fill(spec.replace('report\n', 'report\n    description: no other time\n'))
    await tab.getByRole('textbox', { name: 'Changes' }).waitFor()
    const times = tab.getByRole('region', { name: 'Preview of the schedule' })
    expect(await times.count()).toBe(0)
    await box(tab).fill(spec.replace('"0 4', '"30 5'))
    await times.getByText('adds 14 fires, removes 14').waitFor()
    await times.getByRole('list', { name: 'Removes' }).waitFor()
    expect(await faultsOf(tab)).toEqual([])
  })

  test('references are completed with the names that the file declares, and with one closing brace', async () => {
    await api.createDag('referring', spec)
    const tab = await open('/dags/referring/spec')
    await tab.getByText('No problems').waitFor()
    await box(tab).click()
    await tab.keyboard.press('Control+End')
    await tab.keyboard.press('ArrowUp')
    await tab.keyboard.press('End')
    await tab.keyboard.type(' ${REG')
    await tab.getByRole('option', { name: 'REGION' }).waitFor()
    await tab.keyboard.press('Enter')
    await tab.keyboard.press('End')
    await tab.keyboard.type(' $load.std')
    await tab.getByRole('option', { name: 'load.stdout' }).click()
    await press(tab, 'Save')
    await tab.getByText('Saved', { exact: true }).first().waitFor()
    expect(await specOf('referring')).toContain('command: report ${REGION} ${load.stdout}\n')
  })
})
