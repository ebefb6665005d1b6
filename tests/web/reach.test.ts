import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { controlQueue } from '#lib/queues/control-queue.ts'
import { configureQueues } from '#tests/support/configure-queues.ts'
import { addAuditEntry } from '#lib/audit/add-audit-entry.ts'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { createUser } from '#lib/users/create-user.ts'
import { until } from '#tests/support/until.ts'
import { browserPath } from './browser.ts'
import { faultsInBothThemes, webKit } from './kit.ts'

/** The page for screen readers, at high zoom, with reduced motion, and with forced colours. */
const { api, open } = await webKit()

await api.createDag(
  'reach',
  `
type: graph
schedule: "0 4 * * *"
description: Loads what the night has left
params:
  - {name: SIZE, type: integer, default: 3, min: 1, max: 9, description: How many rows}
  - {name: MODE, type: string, enum: [fast, slow], default: slow}
  - {name: SURE, type: boolean, default: false}
steps:
  - {name: fetch, command: a, depends: []}
  - {name: check, command: a, depends: [fetch]}
  - {name: count, command: a, depends: [fetch]}
  - {name: load, command: a, depends: [check, count]}
  - {name: report, call: reach, depends: [load]}
`,
)
const { spec } = (await api.get<{ spec: string }>('/dags/reach/spec')).body
await api.call('PUT', '/dags/reach/spec', {
  body: { spec: `${spec}# Nobody waits for the report.\n`, message: 'asked at the table' },
})
await api.start('reach', { dagRunId: 'bad' })
await api.claim()
await api.writeLog('bad', 'check', 'stderr', '\u001b[31mrow 17 has no amount\u001b[0m\n')
await api.finish('bad', 'failed', { fetch: 'success', check: 'failed', count: 'success' })
await api.start('reach', { dagRunId: 'going' })
await api.claim()

// Two runs in a queue with a limit of one, which was then raised, and the queue paused.
await api.createDag(
  'line',
  'queue: lane\nworkerSelector: {gpu: "yes"}\nsteps:\n  - {name: work, command: a}\n',
)
await configureQueues(api.database.db, [{ name: 'lane', maxConcurrency: 1 }])
for (const dagRunId of ['first', 'second']) await api.enqueue('line', { dagRunId })
await controlQueue(api.database.db, 'lane', { limit: 2, paused: true, by: 'ann' })
await api.heartbeat({ region: 'eu' })
await api.database.db.sql`update millrace.worker set heartbeat_at = now() + interval '1 hour'`
const { db } = api.database
await createUser(db, { username: 'bob', password: 'quiet-otter-4711', role: 'operator' })
await createApiKey(db, { name: 'ci', role: 'viewer', createdBy: 'bob', expiresInDays: undefined })
await addAuditEntry(db, {
  actor: 'bob',
  role: 'operator',
  action: 'suspendDag',
  target: '/api/v2/dags/reach/suspend',
  address: '127.0.0.1',
  requestId: 'request-1',
  status: 200,
  changes: [{ field: 'suspended', before: 'false', after: 'true' }],
})

const isThere =
  (role: 'table' | 'treegrid' | 'region' | 'button' | 'heading', name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole(role, { name, exact: true }).first().waitFor()

/** The tabs get their counts by a call of their own. */
const withCounts =
  (ready: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    await ready(page)
    await page.getByRole('link', { name: 'All 2' }).waitFor()
  }

const pages: readonly [name: string, path: string, ready: (page: Page) => Promise<void>][] = [
  ['dags', '/', withCounts(isThere('table', 'DAGs'))],
  ['dag', '/dags/reach', isThere('region', 'Graph')],
  ['dag-versions', '/dags/reach/versions', isThere('region', 'Changes from version 1 to 2')],
  [
    'dags-grid',
    '/dags?view=grid',
    withCounts((page) => page.getByRole('img', { name: /^Mosaic/ }).waitFor()),
  ],
  ['dag-schedule', '/dags/reach/schedule', isThere('table', 'Schedule')],
  ['schedule', '/schedule', isThere('table', 'Schedule')],
  ['overview', '/overview', isThere('region', 'Fires next')],
  ['spec', '/dags/reach/spec', specWithPlan],
  ['runs', '/runs', isThere('table', 'Runs')],
  ['run', '/runs/reach/bad', (page) => page.getByText('row 17 has no amount').waitFor()],
  [
    'run-graph',
    '/runs/reach/bad?view=graph',
    (page) => page.getByRole('link', { name: /^check failed/ }).waitFor(),
  ],
  ['run-steps', '/runs/reach/bad?view=steps', isThere('table', 'Steps')],
  ['run-going', '/runs/reach/going', isThere('treegrid', 'Timeline')],
  [
    'log',
    '/runs/reach/bad/log?step=check&stream=stderr',
    (page) => page.getByRole('region', { name: 'Log' }).getByText('row 17').waitFor(),
  ],
  [
    'selected',
    '/runs',
    async (page) => {
      for (const id of ['going', 'bad'])
        await page.getByRole('checkbox', { name: `Select reach ${id}` }).click()
      await page.getByRole('link', { name: 'Compare' }).waitFor()
    },
  ],
  ['search', '/search?q=check', isThere('region', 'Specs')],
  ['compare', '/compare?a=reach/bad&b=reach/going', isThere('table', 'Steps of both runs')],
  ['views', '/runs', openViews],
  ['queues', '/queues', isThere('table', 'Queues')],
  ['queue', '/queues/lane', isThere('table', 'Waiting')],
  [
    'queue-limit',
    '/queues/lane',
    async (page) => {
      await page.getByRole('button', { name: 'Limit…' }).click()
      await isThere('button', 'Set the limit')(page)
    },
  ],
  ['runners', '/runners', isThere('table', 'Runners')],
  ['start', '/dags/reach', startWithFault],
  ['admin', '/admin', isThere('table', 'Users')],
  ['admin-keys', '/admin/keys', isThere('table', 'Keys')],
  ['admin-audit', '/admin/audit?actor=bob', isThere('table', 'Audit')],
  ['admin-new-user', '/admin', (page) => page.getByRole('button', { name: 'New user' }).click()],
  ['settings', '/settings', isThere('heading', 'Settings')],
  ['login', '/login', isThere('button', 'Sign in')],
  ['missing', '/nowhere', (page) => page.getByText('There is no page at this address').waitFor()],
]

async function openViews(page: Page): Promise<void> {
  await page.evaluate(
    'localStorage.setItem(\'millrace.preferences\', \'{"views":[{"list":"runs","name":"mine","query":{}}]}\')',
  )
  await page.reload()
  await page.getByRole('navigation', { name: 'Saved views' }).waitFor()
  await page.getByRole('button', { name: 'Views…' }).click()
  await page.getByRole('dialog', { name: 'Saved views' }).waitFor()
}
/** Pages without a snapshot, because their content depends on the machine or on other tests. */
const unsnapshotted: typeof pages = [
  ['dag-runs', '/dags/reach/runs', isThere('table', 'Runs')],
  ['new-dag', '/new', (page) => page.getByText('No problems').waitFor()],
  ['import', '/import', isThere('heading', 'Import DAGs')],
  ['reference', '/reference', (page) => page.locator('details').first().waitFor()],
  ['admin-system', '/admin/system', isThere('table', 'Findings')],
  ['admin-settings', '/admin/settings', isThere('table', 'Settings')],
  ['admin-nodes', '/admin/nodes', (page) => page.getByText('There is no remote node').waitFor()],
]
const everyPage = [...pages, ...unsnapshotted]

/** The parts of Admin that the titles of these pages name. */
const partsOfAdmin = new Map([
  ['admin', 'Users'],
  ['admin-new-user', 'Users'],
  ['admin-keys', 'Keys'],
  ['admin-audit', 'Audit'],
  ['admin-system', 'System'],
  ['admin-settings', 'Settings'],
  ['admin-nodes', 'Nodes'],
])

/** The editor with the plan next to it. */
async function specWithPlan(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Spec' }).waitFor()
  await page.getByRole('tab', { name: 'Plan' }).click()
  await page.getByRole('region', { name: 'Plan' }).getByText('Order').waitFor()
}

/** The start dialog with everything in it: an invalid field, the rare options, and the plan. */
async function startWithFault(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start reach' })
  await dialog.getByText('More').click()
  await dialog.getByRole('button', { name: 'Plan' }).click()
  await dialog.getByRole('region', { name: 'Plan' }).waitFor()
  await dialog.getByRole('spinbutton', { name: 'SIZE' }).fill('10')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await dialog.getByText('must be at most 9').waitFor()
}

/** Replaces everything that depends on when and where the test runs. */
const settled = (text: string): string =>
  text
    .replaceAll(/\bmr_[\w-]+…/g, 'mr_(key)…')
    .replaceAll(/\b(now|\d+ (s|min|h|d) ago|in \d+ (s|min|h|d))\b/g, '(when)')
    .replaceAll(/\b(\d+ min )?\d+(\.\d+)? (ms|s)\b/g, '(time)')
    .replaceAll(/\b(Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d+ [A-Z][a-z]{2}\b/g, '(day)')
    .replaceAll(/row "\(day\) [67]"/g, 'row "(day) (count)"')
    .replaceAll(/cell "[67]"/g, 'cell "(count)"')
    .replaceAll(/(\b\d+(\.\d+)? times|a little over) the usual/g, '(more than) the usual')
    .replace(/status "Live": \w+/, 'status "Live": (sign)')
    .replaceAll(
      /\b([A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M|\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\dZ)?)/g,
      '(moment)',
    )

/** The accessibility tree of the page, or of the open dialog, once it stays the same. */
async function ariaSnapshotOf(page: Page): Promise<string> {
  let before = ''
  return until('the page stays as it is', async () => {
    const dialog = page.getByRole('dialog')
    const root = (await dialog.count()) > 0 ? dialog : page.locator('body')
    const snapshot = settled(await root.ariaSnapshot())
    const isSame = snapshot === before
    before = snapshot
    return isSame ? `${snapshot}\n` : undefined
  })
}

async function visit(page: Page, path: string, ready: (page: Page) => Promise<void>): Promise<void> {
  await page.goto(new URL(path, page.url()).href)
  await ready(page)
}

/**
 * Tab stops that are too small for a finger. Exempt are links in sentences, and the bars of runs, which the list of
 * runs repeats as rows.
 */
const smallBoxes = `
  const isInSentence = ({ parentElement }) =>
    [...parentElement.childNodes].some((node) => node.nodeType === 3 && /\\p{L}{2}/u.test(node.data))
  ;[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter((box) => !box.matches('a:has(> svg)') && !isInSentence(box))
    .filter((box) => box.tabIndex >= 0 && box.checkVisibility({ visibilityProperty: true }))
    .map((box) => [box.getBoundingClientRect(), box.outerHTML.slice(0, 120)])
    .filter(([{ width, height }]) => Math.min(width, height) < 24 && width * height > 1)
    .map(([{ width, height }, text]) => Math.round(width) + ' x ' + Math.round(height) + ': ' + text)`

const isSideways = 'document.documentElement.scrollWidth > innerWidth'

/** The text spacing of WCAG 1.4.12. */
const spacing = `
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }' +
      'p { margin-block-end: 2em !important }',
  )
  document.adoptedStyleSheets = [sheet]`
const cutTexts = `
  [...document.querySelectorAll('button, label, h1, h2, dt')]
    .filter((box) => box.checkVisibility() && box.clientWidth > 1 && box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.outerHTML.slice(0, 120))`

/**
 * Elements that are focused but not visible: behind the sticky head or navigation, or outside of the window. In reverse
 * order, as with Shift+Tab.
 */
const obscuredBoxes = `
  (() => {
    const isCovered = document.querySelector('dialog[open]') !== null
    const edgeOf = (selector, position, edge) => {
      const box = document.querySelector(selector)
      const isThere = !isCovered && box !== null && getComputedStyle(box).position === position
      return isThere ? box.getBoundingClientRect()[edge] : undefined
    }
    const boxes = [...(document.querySelector('dialog[open]') ?? document.querySelector('main'))
      .querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
      .filter((box) => box.checkVisibility({ visibilityProperty: true }) && box.getClientRects().length > 0)
    scrollTo(0, document.documentElement.scrollHeight)
    return boxes.reverse().flatMap((box) => {
      box.focus()
      if (document.activeElement !== box) return []
      const { top, bottom } = box.getBoundingClientRect()
      const head = edgeOf('.shell-head', 'sticky', 'bottom') ?? 0
      const foot = edgeOf('.navigation', 'fixed', 'top') ?? innerHeight
      return bottom <= head || top >= foot ? [box.outerHTML.slice(0, 120)] : []
    })
  })()`

const movingParts = `
  document.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > 0).length`

async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

async function obscuredAt(page: Page, width: number, height: number): Promise<string[]> {
  await resize(page, width, height)
  return await page.evaluate<string[]>(obscuredBoxes)
}

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 180_000 }, () => {
  test.each(everyPage)('the page %s is accessible to everybody', async (name, path, ready) => {
    const page = await open(path, { reducedMotion: 'reduce' })
    await ready(page)
    expect.soft(await page.evaluate(movingParts), 'animations with reduced motion').toBe(0)
    expect.soft(await page.evaluate(smallBoxes), 'Tab stops below 24 × 24 pixels').toEqual([])
    if (!unsnapshotted.some(([one]) => one === name)) {
      await expect.soft(await ariaSnapshotOf(page)).toMatchFileSnapshot(`./aria-snapshots/${name}.txt`)
    }
    await page.waitForFunction('document.title !== "Millrace"')
    const title = await page.title()
    expect.soft(title).not.toMatch(/^Millrace/)
    expect.soft(/^(.*) – Admin/.exec(title)?.[1], 'part of Admin').toBe(partsOfAdmin.get(name))
    expect.soft(await page.locator('h1').count(), 'h1 elements').toBe(1)
    expect.soft(await page.locator('html').getAttribute('lang')).toBe('en')
    expect.soft(await obscuredAt(page, 1280, 360), 'focused but hidden').toEqual([])
    await resize(page, 1280, 800)
    await page.evaluate(spacing)
    expect.soft(await page.evaluate(cutTexts), 'cut off with wider text spacing').toEqual([])
    expect.soft(await page.evaluate(isSideways), 'scrolls sideways with wider text spacing').toBe(false)

    // At 400 % zoom, then on a phone.
    await page.setViewportSize({ width: 320, height: 256 })
    await visit(page, path, ready)
    expect.soft(await page.evaluate(isSideways), 'scrolls sideways at 400 %').toBe(false)
    expect.soft(await obscuredAt(page, 375, 620), 'focused but hidden on a phone').toEqual([])
  })

  test('what is animated stands still with reduced motion', async () => {
    const page = await open('/runs/reach/going?view=steps')
    await isThere('table', 'Steps')(page)
    expect(await page.evaluate<number>(movingParts)).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await page.evaluate<number>(movingParts)).toBe(0)
  })

  test('with forced colours, selected controls differ from others', async () => {
    const page = await open('/admin', { forcedColors: 'active' })
    await isThere('table', 'Users')(page)
    const styleOf = (selector: string, name: string): Promise<string> =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${name}`)
    for (const tab of ['.navigation-link', '.tab-links-link']) {
      expect(await styleOf(`${tab}[aria-current]`, 'borderBlockEndColor')).not.toBe(
        await styleOf(`${tab}:not([aria-current])`, 'borderBlockEndColor'),
      )
    }
    await visit(page, '/settings', isThere('heading', 'Settings'))
    expect(await styleOf('.switch-knob', 'backgroundColor')).not.toBe(
      await styleOf('.switch-track', 'backgroundColor'),
    )
    await visit(page, '/runs?q=failed', isThere('table', 'Runs'))
    expect(await styleOf('[aria-pressed=true]', 'backgroundColor')).not.toBe(
      await styleOf('[aria-pressed=false]', 'backgroundColor'),
    )
  })

  test('with forced colours, the icons of states stay visible', async () => {
    const page = await open('/', { forcedColors: 'active' })
    for (const [, path, ready] of pages.filter(([name]) => name.startsWith('run'))) {
      await visit(page, path, ready)
      const unseen = await page.evaluate<string[]>(`
        [...document.querySelectorAll('main svg path, main svg circle, main svg rect')]
          .filter((shape) => getComputedStyle(shape).stroke === getComputedStyle(document.body).backgroundColor)
          .map((shape) => shape.outerHTML)`)
      expect(unseen).toEqual([])
    }
  })

  test.each([1280, 375])(
    'graph, start and reference have no accessibility violations in either theme at %i pixels',
    async (width) => {
      const page = await open('/', { colorScheme: 'light', viewport: { width, height: 800 } })
      for (const [name, path, ready] of everyPage.filter(([name]) => /graph|start|reference/.test(name))) {
        await visit(page, path, ready)
        expect((await faultsInBothThemes(page)).map((fault) => `${name}: ${fault}`)).toEqual([])
      }
    },
  )
})
