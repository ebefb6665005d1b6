import { describe, expect, test } from 'vitest'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()
for (const name of ['one', 'two']) await api.createDag(name)
const failed: string[] = []
for (const name of ['one', 'one', 'two']) {
  const run = await api.start(name)
  await api.finish(run, 'failed', { work: 'failed' })
  failed.push(run)
}
const good = await api.start('two')
await api.finish(good, 'success', { work: 'success' })

const statusOf = async (name: string, id: string) =>
  (await api.get<{ dagRun: { status: number } }>(`/dag-runs/${name}/${id}`)).body.dagRun.status

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('runs are selected with x, Shift or all at once, and an action asks once and reports each result', async () => {
    const page = await open('/runs')
    const table = page.getByRole('table', { name: 'Runs' })
    const boxes = table.getByRole('checkbox', { name: /^Select (one|two)/ })
    await boxes.nth(3).waitFor()
    await boxes.nth(1).focus()
    await page.keyboard.press('x')
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('1 run selected').waitFor()
    await boxes.nth(3).click({ modifiers: ['Shift'] })
    await bar.getByText('3 runs selected').waitFor()
    await page.keyboard.press('x')
    await bar.getByText('2 runs selected').waitFor()
    await table.getByRole('checkbox', { name: 'Select all runs shown' }).click()
    await bar.getByText('4 runs selected').waitFor()
    // Three of the four have failed.
    await bar.getByRole('button', { name: 'Stop 0' }).waitFor()
    await bar.getByRole('button', { name: 'Retry 3' }).click()
    const dialog = page.getByRole('dialog', { name: 'Retry 3 runs of 2 DAGs' })
    // Another user retries one of them first.
    await api.post(`/dag-runs/one/${failed[0]}/retry`, { dagRunId: failed[0] })
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await dialog.getByText('2 retried, 1 failed').waitFor()
    const results = dialog.getByRole('list', { name: 'Results' }).getByRole('listitem')
    expect(await results.count()).toBe(3)
    expect(await results.first().textContent()).toContain('has not ended')
    for (const [index, name] of ['one', 'one', 'two'].entries()) {
      expect(await statusOf(name, failed[index] ?? '')).toBe(0)
    }
    await dialog.getByRole('button', { name: 'Close' }).click()
    await bar.waitFor({ state: 'detached' })

    await table.getByRole('checkbox', { name: 'Select all runs shown' }).click()
    await bar.getByRole('button', { name: 'Stop 3' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await bar.getByRole('button', { name: 'Stop 3' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('dialog').getByText('3 stopped', { exact: true }).waitFor()
    expect(await statusOf('two', failed[2] ?? '')).toBe(3)
  })

  test('selected DAGs are suspended and started', async () => {
    const page = await open('/dags')
    const table = page.getByRole('table', { name: 'DAGs' })
    await table.getByRole('checkbox', { name: 'Select one' }).click()
    await table.getByRole('checkbox', { name: 'Select two' }).click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('2 DAGs selected').waitFor()
    await bar.getByRole('button', { name: 'Suspend 2' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suspend 2 DAGs' })
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await dialog.getByText('2 suspended').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await table.getByRole('row', { name: /one/ }).locator('[role=switch][aria-checked=false]').waitFor()
    await table.getByRole('checkbox', { name: 'Select two' }).click()
    await bar.getByRole('button', { name: 'Resume 1' }).waitFor()
    await bar.getByRole('button', { name: 'Start 1' }).click()
    await page.getByRole('dialog', { name: 'Start 1 DAG' }).getByRole('button', { name: 'Start' }).click()
    const started = page.getByRole('dialog').getByRole('link', { name: 'two' })
    await started.click()
    await page.waitForURL(/\/runs\/two\//)
  })

  test('x selects nothing if letter keys are switched off', async () => {
    const page = await open('/runs')
    await page.evaluate("localStorage.setItem('millrace.letters', 'off')")
    await page.reload()
    const box = page.getByRole('checkbox', { name: /^Select (one|two)/ }).first()
    await box.focus()
    await page.keyboard.press('x')
    expect(await box.isChecked()).toBe(false)
    await page.keyboard.press('Space')
    expect(await box.isChecked()).toBe(true)
  })
})
