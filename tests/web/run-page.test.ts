import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()

await api.createDag(
  'top',
  'steps:\n  - {name: call, run: kid}\n  - {name: after, command: b, depends: call}\n' +
    '---\nname: kid\nsteps:\n  - {name: inner, command: echo 1}\n',
)
const root = await api.start('top')
await api.startChild(root, { dagName: 'kid', runId: 'k1', step: 'call', document: 'kid' })
await api.claim()
await api.writeLog('k1', 'inner', 'stderr', 'the inner fault\n')
await api.finish('k1', 'failed', { inner: 'failed' })
await api.finish(root, 'failed', { call: 'failed', after: 'cancelled' }, { call: { ANSWER: 'forty two' } })

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('a run links to its failed child run, to the log of that, and back', async () => {
    const page = await open(`/runs/top/${root}`)
    const why = page.getByRole('region', { name: 'Why' })
    await why.getByRole('link', { name: /kid k1: failed/ }).click()
    await page.getByRole('heading', { level: 1, name: 'kid' }).waitFor()
    await page.getByRole('region', { name: 'Why' }).getByText('the inner fault').waitFor()
    expect(await page.getByRole('button', { name: 'Retry failed' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Open stderr' }).click()
    await page.getByRole('region', { name: 'Log' }).getByText('the inner fault').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/runs/top/${root}/child/k1/log`)
    await page.getByRole('link', { name: 'k1' }).click()
    await page.getByRole('link', { name: new RegExp(`top ${root.slice(0, 8)}`) }).click()
    await page.getByRole('heading', { level: 1, name: 'top' }).waitFor()
  })

  test('an active run shows its estimated remaining time', async () => {
    await api.createDag('slow')
    for (let count = 0; count < 3; count++) {
      const id = await api.start('slow')
      await api.claim()
      await api.database.db.sql`
        update millrace.dag_run set started_at = started_at - interval '40 min' where run_id = ${id}`
      await api.finish(id, 'success', { work: 'success' })
    }
    const id = await api.start('slow')
    await api.claim()
    const page = await open(`/runs/slow/${id}`)
    await page.getByText('about 40 min left').waitFor()
  })

  test('the child runs of a step expand below it in the table, with their steps', async () => {
    const page = await open(`/runs/top/${root}?view=steps`)
    const table = page.getByRole('table', { name: 'Steps' })
    const toggle = table.getByRole('button', { name: 'Runs of call', expanded: false })
    await toggle.focus()
    await page.keyboard.press('Enter')
    await table.getByRole('row', { name: /kid k1 failed/ }).waitFor()
    await table.getByRole('row', { name: /inner failed/ }).waitFor()
    await table.getByRole('button', { name: 'Runs of call', expanded: true }).click()
    await table.getByRole('row', { name: /inner failed/ }).waitFor({ state: 'detached' })
  })

  test('the details of a step open next to the list, and closing returns the focus', async () => {
    const page = await open(`/runs/top/${root}?view=steps`)
    await page.getByRole('link', { name: 'Details of call' }).focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('region', { name: 'Step call' })
    await drawer.getByText('forty two').waitFor()
    expect(await drawer.textContent()).toMatch(/Exit code1/)
    expect(await drawer.getByRole('link', { name: 'kid' }).getAttribute('href')).toContain('/child/k1')
    expect(new URL(page.url()).searchParams.get('step')).toBe('call')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    const link = page.getByRole('link', { name: 'Details of call' })
    expect(await link.evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  test('the state of a step is set by hand, and a single step is retried', async () => {
    await api.createDag('hand', 'steps:\n  - {name: one, command: a}\n  - {name: two, command: b}\n')
    const run = await api.start('hand')
    await api.finish(run, 'failed', { one: 'failed', two: 'failed' })
    const page = await open(`/runs/hand/${run}?view=steps&step=one`)
    const drawer = page.getByRole('region', { name: 'Step one' })
    await drawer.getByRole('combobox', { name: 'New state' }).selectOption('skipped')
    await drawer.getByRole('button', { name: 'Set state' }).click()
    await page.getByRole('row', { name: /one .*skipped/ }).waitFor()
    await page.goto(page.url().replace('step=one', 'step=two'))
    await page.getByRole('region', { name: 'Step two' }).getByRole('button', { name: 'Retry step' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page
      .getByRole('navigation', { name: 'Attempts' })
      .getByRole('link', { name: 'Attempt 1: failed' })
      .waitFor()
  })

  test('an earlier attempt is shown as it ended, with its logs', async () => {
    await api.createDag('again', 'steps:\n  - {name: one, command: a}\n')
    const run = await api.start('again')
    await api.claim()
    await api.writeLog(run, 'one', 'stderr', 'the first fault\n')
    await api.finish(run, 'failed', { one: 'failed' })
    await api.post(`/dag-runs/again/${run}/retry`, { dagRunId: run })
    await api.claim()
    await api.finish(run, 'success', { one: 'success' })
    const page = await open(`/runs/again/${run}?view=steps`)
    await page.getByRole('status', { name: 'State' }).getByText('succeeded').waitFor()
    await page
      .getByRole('navigation', { name: 'Attempts' })
      .getByRole('link', { name: 'Attempt 1: failed' })
      .click()
    await page.getByRole('status', { name: 'State' }).getByText('failed').waitFor()
    await page.getByRole('region', { name: 'Why' }).getByText('the first fault').waitFor()
    expect(await page.getByRole('button', { name: 'Retry failed' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Steps' }).click()
    await page.getByRole('link', { name: 'Details of one' }).click()
    const tries = page.getByRole('region', { name: 'Step one' }).getByRole('list', { name: 'Tries' })
    await tries.waitFor()
    await tries.getByRole('link', { name: 'Try 1' }).click()
    expect(page.url()).toContain('attempt=1#L1')
    await page.getByRole('link', { name: 'stderr', exact: true }).click()
    await page.getByRole('region', { name: 'Log' }).getByText('the first fault').waitFor()
  })

  test('a failed run links to the last success and says that the definition has changed since', async () => {
    await api.createDag('drift', 'steps:\n  - {name: a, command: one}\n')
    const good = await api.start('drift')
    await api.finish(good, 'success', { a: 'success' })
    await api.call('PUT', '/dags/drift/spec', { body: { spec: 'steps:\n  - {name: a, command: two}\n' } })
    const bad = await api.start('drift')
    await api.finish(bad, 'failed', { a: 'failed' })
    const page = await open(`/runs/drift/${bad}`)
    await page.getByText('the definition has changed since').waitFor()
    await page.getByRole('link', { name: good.slice(0, 8) }).click()
    await page.getByRole('status', { name: 'State' }).getByText('succeeded').waitFor()
  })
})

describe.skipIf(browserPath === undefined)('as a viewer', { timeout: 60_000 }, async () => {
  const guarded = await webKit({ basic: undefined, token: 'of-the-settings' })
  const { key } = await createApiKey(guarded.api.database.db, {
    name: 'reader',
    role: 'viewer',
    createdBy: 'test',
    expiresInDays: undefined,
  })
  await guarded.api.createDag('seen')
  const run = await guarded.api.start('seen')
  await guarded.api.finish(run, 'failed', { work: 'failed' })

  test('buttons that the role forbids are disabled and name the required role', async () => {
    const page = await guarded.open(`/runs/seen/${run}?step=work`, {
      extraHTTPHeaders: { authorization: `Bearer ${key}` },
    })
    for (const name of ['Retry failed', 'Run again…', 'Retry step', 'Set state']) {
      const button = page.getByRole('button', { name })
      await button.waitFor()
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      expect(await button.getAttribute('aria-description')).toBe('needs the role operator; you are viewer')
    }
    await page.getByRole('button', { name: 'Run again…' }).click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
