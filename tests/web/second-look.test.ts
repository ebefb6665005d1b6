import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()
const spec = (command: string) => `params:\n  - NAME: world\nsteps:\n  - {name: greet, command: ${command}}\n`
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function failed(name: string): Promise<string> {
  const run = await api.start(name)
  await api.claim()
  await api.finish(run, 'failed', { greet: 'failed' })
  return run
}

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('a failed run says which version each button uses if the DAG was saved since', async () => {
    await api.createDag('mended', spec('ecko'))
    const run = await failed('mended')
    const page = await open(`/runs/mended/${run}`)
    await page.getByRole('button', { name: 'Retry failed' }).waitFor()
    const note = page.getByText('Retry failed keeps version 1, Run again… takes version 2.')
    expect(await note.count()).toBe(0)
    await api.call('PUT', '/dags/mended/spec', { body: { spec: spec('echo') } })
    await page.reload()
    await note.waitFor()
    await page.getByRole('link', { name: 'The DAG was saved since' }).click()
    await page.getByRole('link', { name: 'Versions' }).waitFor()
    expect(new URL(page.url()).search).toBe('?from=1&to=2')
  })

  test('the reason why one attempt waited is not shown for the next', async () => {
    await api.createDag('twice', spec('ecko'))
    const run = await failed('twice')
    const page = await open(`/runs/twice/${run}`)
    await page.getByRole('button', { name: 'Retry failed' }).click()
    const reason = page.getByRole('region', { name: 'Why' }).getByRole('listitem')
    await reason.waitFor()
    await api.claim()
    await api.finish(run, 'failed', { greet: 'failed' })
    await page.getByRole('button', { name: 'Retry failed' }).waitFor()
    await page.getByRole('link', { name: 'Attempt 2: failed' }).waitFor()
    await reason.waitFor({ state: 'detached' })
    // The time between the attempts does not count as waiting for a runner.
    expect(await page.getByText('Waited', { exact: true }).count()).toBe(0)
  })

  test('the reason why a run waits has times in the zone of the page', async () => {
    await api.createDag('lane-user', `queue: slow-lane\n${spec('echo')}`)
    await api.call('PUT', '/queues/slow-lane', { body: { paused: true } })
    const { body } = await api.call<{ dagRunId: string }>('POST', '/dags/lane-user/enqueue', { body: {} })
    const page = await open(`/runs/lane-user/${body.dagRunId}`, {
      timezoneId: 'Asia/Kolkata',
      locale: 'en-US',
    })
    const why = page.getByRole('region', { name: 'Why' })
    await why.getByText(/was paused .*GMT\+5:30/).waitFor()
    expect(await why.innerText()).not.toMatch(/\dT\d/)
  })

  test('typing into the start dialog replaces the first default', async () => {
    await api.createDag('typed', spec('echo'))
    const page = await open('/dags?q=typed')
    await page.getByRole('row', { name: /typed/ }).getByRole('button', { name: 'Start' }).focus()
    await page.keyboard.press('Enter')
    const field = page.getByRole('dialog').getByRole('textbox', { name: 'NAME' })
    await expect.poll(() => field.evaluate((input) => input.matches(':focus'))).toBe(true)
    await page.keyboard.type('Ada')
    await page.keyboard.press('Enter')
    const params = page.getByRole('list', { name: 'Params' }).getByRole('listitem')
    await params.filter({ hasText: 'NAMEAda' }).waitFor()
    await atTheTop(page)
  })

  test('following a link moves the focus to the new page', async () => {
    await api.createDag('linked', spec('echo'))
    const run = await failed('linked')
    await api.writeLog(run, 'greet', 'stderr', 'a fault\n')
    const page = await open('/runs?q=dag:linked')
    const link = page.getByRole('row', { name: /linked/ }).getByRole('link', { name: 'linked' })
    await link.focus()
    await page.keyboard.press('Enter')
    await heading(page, 'linked')
    await atTheTop(page)
    await page.getByRole('link', { name: 'Open stderr' }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'greet')
    await atTheTop(page)
  })

  test('a page whose script cannot be loaded says so, and loads when the service is back', async () => {
    const page = await open('/runs')
    await heading(page, 'Runs')
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Runners' }).click()
    await page.getByRole('alert').getByText('It comes when the service can be reached again.').waitFor()
    await page.context().setOffline(false)
    await heading(page, 'Runners')
    await page.getByRole('link', { name: 'Runs' }).click()
    await heading(page, 'Runs')
  })
})

/** Waits until the focus is on the main element, so that the next Tab leads into the page, not the head above it. */
const atTheTop = (page: Page): Promise<void> =>
  expect.poll(() => page.getByRole('main').evaluate((main) => main.matches(':focus'))).toBe(true)
