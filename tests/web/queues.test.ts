import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { renewLeases } from '#lib/runs/claim/renew-leases.ts'
import { configureQueues } from '#tests/support/configure-queues.ts'
import { until } from '#tests/support/until.ts'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

const token = 'a-token-of-the-settings'
const { api, open } = await webKit()
const { api: guarded, open: openGuarded } = await webKit({ basic: undefined, token })
const { db } = api.database
await configureQueues(db, [{ name: 'lane', maxConcurrency: 1 }])
await api.createDag('work', 'queue: lane\nsteps:\n  - {name: work, command: a}\n')

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('a queue fills, is paused, gets another limit, and loses a dequeued run', async () => {
    const page = await open('/queues')
    const row = page.getByRole('table', { name: 'Queues' }).getByRole('row', { name: /lane/ })
    await row.getByText('0 of 1').waitFor()
    const running = await api.enqueue('work')
    const first = await api.enqueue('work')
    const second = await api.enqueue('work')
    await api.claim()
    await row.getByText('1 of 1').waitFor()
    await row.getByText('full').waitFor()
    await row.getByRole('button', { name: 'Pause lane' }).click()
    await row.getByText('paused').waitFor()
    expect(await faultsOf(page)).toEqual([])

    await row.getByRole('link', { name: 'lane' }).click()
    await page.getByRole('heading', { level: 1, name: 'lane' }).waitFor()
    await page.getByRole('region', { name: 'Why' }).getByText('the queue lane was paused').waitFor()
    const waiting = page.getByRole('table', { name: 'Waiting' })
    expect(await waiting.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/^Position/),
      expect.stringMatching(new RegExp(`^1\\s+work\\s+${first}`)),
      expect.stringMatching(new RegExp(`^2\\s+work\\s+${second}`)),
    ])
    await page.getByRole('table', { name: 'Running' }).getByText(running).waitFor()
    expect(await faultsOf(page)).toEqual([])

    await waiting.getByRole('button', { name: `Dequeue work ${first}` }).click()
    await page.getByRole('heading', { name: 'Waiting: 1' }).waitFor()
    await page.getByRole('button', { name: 'Limit…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Limit of lane' })
    await dialog.getByRole('spinbutton', { name: 'Runs at the same time' }).fill('3')
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('1 of 3').waitFor()
    await page.getByText('the settings say 1').waitFor()
    await page.getByRole('button', { name: 'Resume lane' }).click()
    await page.getByRole('heading', { name: 'Waiting: 0' }).waitFor()
    await page.getByText('2 of 3').waitFor()
    await page.getByRole('button', { name: 'Limit…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click()
    await page.getByText('2 of 1').waitFor()
  })

  test('changes by others appear live', async () => {
    const page = await open('/queues/lane')
    await page.getByRole('status', { name: 'Live' }).getByText('live', { exact: true }).waitFor()
    await api.call('PUT', '/queues/lane', { body: { paused: true } })
    await page
      .getByRole('list', { name: 'Facts' })
      .getByText(/^paused .* ago$|^paused now$/)
      .waitFor()
    await api.call('PUT', '/queues/lane', { body: { paused: false } })
    await page.getByRole('button', { name: 'Pause lane' }).waitFor()
  })

  test('an unknown queue says so', async () => {
    const page = await open('/queues/ghost')
    await page.getByRole('alert').getByText('queue "ghost" not found').waitFor()
  })

  test('a long queue is read page by page', async () => {
    await api.createDag('long')
    for (let run = 0; run < 205; run++) await api.enqueue('long')
    const page = await open('/queues/long')
    await page.getByRole('heading', { name: 'Waiting: 204' }).waitFor()
    await page.getByRole('link', { name: 'Further down' }).click()
    await page.getByRole('table', { name: 'Waiting' }).getByRole('row', { name: /^204 / }).waitFor()
    await page.getByRole('link', { name: 'To the front of the queue' }).click()
    await page.getByRole('table', { name: 'Waiting' }).getByRole('row', { name: /^1 / }).waitFor()
  })

  test('a runner is drained and resumed, and its health and the DAGs that no runner accepts are shown', async () => {
    await api.createDag('heavy', 'workerSelector: {gpu: "yes"}\nsteps:\n  - {name: work, command: a}\n')
    await api.heartbeat({ region: 'eu' })
    const page = await open('/runners')
    const row = page.getByRole('table', { name: 'Runners' }).getByRole('row', { name: /test-runner/ })
    await row.getByText('healthy').waitFor()
    await row.getByText('region=eu').waitFor()
    await page.getByRole('heading', { name: 'DAGs that no runner accepts: 1' }).waitFor()
    await row.getByRole('button', { name: 'Drain test-runner' }).click()
    await row.getByText('draining', { exact: true }).waitFor()
    // Now no runner takes any of the three DAGs.
    await page.getByRole('heading', { name: /^DAGs that no runner accepts: [34]$/ }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await row.getByRole('button', { name: 'Resume test-runner' }).click()
    await row.getByRole('button', { name: 'Drain test-runner' }).waitFor()
    await db.sql`update millrace.worker set heartbeat_at = now() - interval '20 seconds'`
    await row.getByText('unhealthy').waitFor()
    await row.getByText(/^heartbeat \d+ s ago$/).waitFor()
  })

  test('a runner that is shutting down cannot be resumed', async () => {
    const worker = { labels: {}, slots: 1, host: 'here', pid: 1, draining: true }
    await renewLeases(db, { owner: 'leaving', claims: [], leaseMs: 1_000, worker })
    const page = await open('/runners')
    const button = page.getByRole('button', { name: 'Resume leaving' })
    expect(await button.getAttribute('aria-description')).toBe('it is shutting down')
  })

  test('an operator sees the queues, but may not change them, with the reason', async () => {
    await guarded.createDag('open')
    await guarded.enqueue('open')
    const key = await createApiKey(guarded.database.db, {
      name: 'looker',
      role: 'operator',
      createdBy: 'test',
      expiresInDays: undefined,
    })
    const page = await openGuarded('/queues')
    await page.getByRole('button', { name: 'Use a token' }).click()
    await page.getByRole('textbox', { name: 'Token' }).fill(key.key)
    await page.keyboard.press('Enter')
    const button = page.getByRole('button', { name: 'Pause open' })
    expect(await button.getAttribute('aria-description')).toBe('needs the role admin; you are operator')
    await button.click({ force: true })
    expect(
      await guarded.database.db.sql`select name from millrace.queue where paused_at is not null`,
    ).toEqual([])
  })

  test('a queue is reached and paused by keyboard', async () => {
    const page = await open('/runs')
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('q')
    const button = page.getByRole('button', { name: 'Pause lane' })
    await button.waitFor()
    await until('the button has the focus', async () => {
      await page.keyboard.press('Tab')
      return await page.evaluate<boolean>(`document.activeElement.textContent === 'Pause lane'`)
    })
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Resume lane' }).waitFor()
    await page.getByRole('status', { name: 'Announcements' }).getByText('lane is paused').waitFor()
  })
})
