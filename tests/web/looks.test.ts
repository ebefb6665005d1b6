import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { configureQueues } from '#tests/support/configure-queues.ts'
import { browserPath } from './browser.ts'
import { faultsInBothThemes, webKit } from './kit.ts'

const { api, open } = await webKit()

await api.createDag(
  'sound',
  'schedule: "0 4 * * *"\ntags: [x]\nparams: [A: 1]\nsteps:\n  - {name: work, command: a}\n',
)
await api.call('PUT', '/dags/sound/spec', {
  body: {
    spec: 'schedule: "0 4 * * *"\ntags: [x]\nparams: [A: 1]\nsteps:\n  - {name: work, command: b}\n',
    message: 'b is faster',
  },
})
const failed = await api.start('sound')
await api.claim()
await api.writeLog(failed, 'work', 'stderr', '\u001b[31mred\u001b[0m \u001b[33myellow\u001b[0m\nplain\n')
await api.finish(failed, 'failed', { work: 'failed' })
await api.createDag('a-name-that-is-rather-long-for-a-phone')
await api.start('a-name-that-is-rather-long-for-a-phone')
await api.createDag(
  'parent',
  'steps:\n  - {name: call, run: kid}\n---\nname: kid\nsteps:\n  - {name: inner, command: echo 1}\n',
)
const parent = await api.start('parent')
await api.startChild(parent, { dagName: 'kid', runId: 'k1', step: 'call', document: 'kid' })
await api.claim()
await api.writeLog('k1', 'inner', 'stdout', 'one\n')
await api.finish('k1', 'failed', { inner: 'failed' })
await api.finish(parent, 'failed', { call: 'failed' }, { call: { ANSWER: 'x'.repeat(400) } })
const running = await api.start('sound')
await api.claim()

await api.createDag(
  'wants-another',
  'queue: lane\nworkerSelector: {gpu: "yes"}\nsteps:\n  - {name: work, command: a}\n',
)
await configureQueues(api.database.db, [{ name: 'lane', maxConcurrency: 1 }])
for (let run = 0; run < 3; run++) await api.enqueue('wants-another')
await api.heartbeat({ region: 'eu', zone: 'a-zone-with-a-name' })

/** Each page, and how to wait until it is complete. */
const pages: readonly [string, string, (page: Page) => Promise<void>][] = [
  ['the DAGs', '/', (page) => page.getByRole('table', { name: 'DAGs' }).waitFor()],
  ['the DAGs as a mosaic', '/dags?view=grid', (page) => page.getByRole('img', { name: /^Mosaic/ }).waitFor()],
  ['the schedule', '/schedule', (page) => page.getByRole('table', { name: 'Schedule' }).waitFor()],
  ['a week', '/schedule?view=week', (page) => page.getByRole('table', { name: 'Schedule' }).waitFor()],
  ['the past', '/schedule?view=past', (page) => page.getByText('No schedule has fired').waitFor()],
  ['the overview', '/overview', (page) => page.getByRole('img', { name: 'Histogram' }).waitFor()],
  [
    'the schedule of a DAG',
    '/dags/sound/schedule',
    (page) => page.getByRole('table', { name: 'Schedule' }).waitFor(),
  ],
  ['the runs', '/runs', (page) => page.getByRole('table', { name: 'Runs' }).waitFor()],
  ['no runs', '/runs?q=cancelled', (page) => page.getByText('No run matches the filter').waitFor()],
  ['a failed run', `/runs/sound/${failed}`, (page) => page.getByText('plain', { exact: true }).waitFor()],
  [
    'the steps of a run',
    `/runs/sound/${failed}?view=steps`,
    (page) => page.getByRole('table', { name: 'Steps' }).waitFor(),
  ],
  [
    'a step that started runs',
    `/runs/parent/${parent}?view=steps&step=call`,
    async (page) => {
      await page.getByRole('region', { name: 'Step call' }).getByText('ANSWER').waitFor()
      await page.getByRole('button', { name: 'Runs of call' }).click()
      await page.getByRole('row', { name: /inner failed/ }).waitFor()
      // After scrolling to the step, the head of the page would cover what is above it.
      await page.evaluate('scrollTo(0, 0)')
    },
  ],
  [
    'a child run',
    `/runs/parent/${parent}/child/k1`,
    (page) => page.getByText('one', { exact: true }).waitFor(),
  ],
  [
    'the log of all steps',
    `/runs/parent/${parent}/child/k1/log?step=`,
    (page) => page.getByRole('region', { name: 'Log' }).getByText('one').waitFor(),
  ],
  [
    'marked lines of a log',
    `/runs/parent/${parent}/child/k1/log?step=inner#L1`,
    (page) => page.getByRole('button', { name: 'Copy lines' }).waitFor(),
  ],
  [
    'a missing run',
    '/runs/parent/none',
    (page) => page.getByText('This run does not exist, or was removed').waitFor(),
  ],
  ['an active run', `/runs/sound/${running}`, (page) => page.getByRole('treegrid').waitFor()],
  [
    'a log',
    `/runs/sound/${failed}/log?step=work&stream=stderr`,
    (page) => page.getByRole('region', { name: 'Log' }).getByText('plain').waitFor(),
  ],
  ['no DAG', '/dags?q=nothing-is-called-so', (page) => page.getByText('No DAG matches the filter').waitFor()],
  [
    'runs of an hour',
    '/runs?q=failed%20dag:sound&last=1h',
    (page) => page.getByRole('img', { name: 'Histogram' }).waitFor(),
  ],
  ['a DAG', '/dags/sound', (page) => page.getByRole('grid').waitFor()],
  ['the runs of a DAG', '/dags/sound/runs', (page) => page.getByRole('table', { name: 'Runs' }).waitFor()],
  ['the text of a DAG', '/dags/sound/spec', (page) => page.getByRole('textbox', { name: 'Spec' }).waitFor()],
  [
    'the versions of a DAG',
    '/dags/sound/versions',
    (page) => page.getByRole('region', { name: /^Changes from/ }).waitFor(),
  ],
  [
    'a restored version',
    '/dags/sound/versions',
    async (page) => {
      await page.getByRole('button', { name: 'Restore version 1' }).click()
      await page.getByRole('dialog').waitFor()
    },
  ],
  [
    'a start',
    '/dags/sound',
    async (page) => {
      await page.getByRole('button', { name: 'Start' }).click()
      await page.getByRole('dialog').waitFor()
    },
  ],
  ['a search', '/search?q=work', (page) => page.getByRole('region', { name: 'Specs' }).waitFor()],
  ['an empty search', '/search', (page) => page.getByText('Search for anything').waitFor()],
  [
    'a comparison',
    `/compare?a=sound/${failed}&b=sound/${running}`,
    (page) => page.getByRole('table', { name: 'Steps of both runs' }).waitFor(),
  ],
  ['no comparison', '/compare', (page) => page.getByText('No runs to compare').waitFor()],
  ['selected runs', '/runs', selectAll],
  ['a confirmation', '/runs', askToStop],
  ['saved views', '/runs', openViews],
  ['an error', '/runs?q=id:x', brokenRuns],
  ['the queues', '/queues', (page) => page.getByRole('table', { name: 'Queues' }).waitFor()],
  ['a queue', '/queues/lane', (page) => page.getByRole('table', { name: 'Waiting' }).waitFor()],
  [
    'no such queue',
    '/queues/ghost',
    (page) => page.getByRole('alert').getByText('queue "ghost" not found').waitFor(),
  ],
  ['the runners', '/runners', (page) => page.getByRole('table', { name: 'Runners' }).waitFor()],
  ['a new DAG', '/new', (page) => page.getByText('No problems').waitFor()],
  ['an import', '/import', fillCrontab],
  ['the palette', '/runs', (page) => overlay(page, 'Control+k', 'Go to')],
  ['the keys', '/runs', (page) => overlay(page, '?', 'Keys')],
  ['the sign-in', '/login', (page) => page.getByRole('button', { name: 'Sign in' }).waitFor()],
  ['an unknown page', '/nowhere', (page) => page.getByText('There is no page at this address').waitFor()],
]

async function selectAll(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all runs shown' }).click()
  await page.getByRole('region', { name: 'Selection' }).waitFor()
}

async function askToStop(page: Page): Promise<void> {
  await selectAll(page)
  await page.getByRole('button', { name: /^Stop/ }).click()
  await page.getByRole('dialog', { name: /^Stop/ }).waitFor()
}

async function openViews(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Views…' }).click()
  await page.getByRole('dialog', { name: 'Saved views' }).waitFor()
}

async function fillCrontab(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Crontab' }).fill('0 4 * * * /bin/true\n@reboot /bin/false\n')
  await page.getByRole('table', { name: 'Found' }).waitFor()
}

async function overlay(page: Page, key: string, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  const dialog = page.getByRole('dialog', { name })
  // The page may be visible before it listens to keys.
  await expect
    .poll(
      async () => {
        if ((await dialog.count()) === 0) await page.keyboard.press(key)
        return await dialog.count()
      },
      { timeout: 30_000 },
    )
    .toBe(1)
}

async function brokenRuns(page: Page): Promise<void> {
  await page.route('**/dag-runs?*', (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/json',
      headers: { 'x-request-id': 'the-id' },
      body: '{"code":"bad_request","message":"too wide"}',
    }),
  )
  await page.reload()
  await page.getByRole('alert').getByText('too wide').waitFor()
}

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 300_000 }, () => {
  test.each([1280, 375])(
    'no page has accessibility violations in either theme at %i pixels',
    async (width) => {
      const faults: string[] = []
      // Tall on a phone: axe reports targets that the navigation partly covers as too small, though they scroll.
      const height = width < 500 ? 2_400 : 800
      const page = await open('/', { colorScheme: 'light', viewport: { width, height } })
      const origin = new URL(page.url()).origin
      for (const [name, path, ready] of pages) {
        await page.goto(`${origin}${path}`)
        await ready(page)
        faults.push(...(await faultsInBothThemes(page)).map((fault) => `${name}: ${fault}`))
        const sideways = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        if (sideways === true && name !== 'a start') faults.push(`${name}: scrolls sideways`)
        await page.unrouteAll()
      }
      expect(faults).toEqual([])
    },
  )

  test('the first page loads less than 75 kB of scripts and makes three calls', async () => {
    const page = await open('/livez')
    const sizes = new Map<string, number>()
    const sized: Promise<unknown>[] = []
    const calls: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/') && !pathname.endsWith('/events')) calls.push(pathname)
    })
    page.on('requestfinished', (request) => {
      const { pathname } = new URL(request.url())
      sized.push(request.sizes().then(({ responseBodySize }) => sizes.set(pathname, responseBodySize)))
    })
    await page.goto(new URL('/dags', page.url()).href)
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
    await Promise.all(sized)
    const of = (ending: string): number =>
      [...sizes].reduce((sum, [path, size]) => sum + (path.endsWith(ending) ? size : 0), 0)
    console.log(`first page, bytes sent: ${of('.js')} of scripts, ${of('.css')} of styles`)
    expect(of('.js')).toBeGreaterThan(10_000)
    expect(of('.js')).toBeLessThan(75_000)
    expect(of('.css')).toBeLessThan(16_000)
    expect(calls).toEqual(['/api/v2/session', '/api/v2/dags', '/api/v2/dags/counts'])
  })
})
