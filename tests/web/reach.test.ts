import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { until } from '#tests/support/until.ts'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

/** People who use the page in another way: by screen reader, enlarged, without motion, with colours of their own. */
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
await api.start('reach', { dagRunId: 'bad' })
await api.claim()
await api.writeLog('bad', 'check', 'stderr', '\u001b[31mrow 17 has no amount\u001b[0m\n')
await api.finish('bad', 'failed', { fetch: 'success', check: 'failed', count: 'success' })
await api.start('reach', { dagRunId: 'going' })
await api.claim()

const isThere =
  (role: 'table' | 'treegrid' | 'region' | 'button' | 'heading', name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole(role, { name, exact: true }).first().waitFor()

const pages: readonly [name: string, path: string, ready: (page: Page) => Promise<void>][] = [
  ['dags', '/', isThere('table', 'DAGs')],
  ['dag', '/dags/reach', isThere('region', 'Graph')],
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
  ['start', '/dags/reach', startWithFault],
  ['login', '/login', isThere('button', 'Sign in')],
  ['missing', '/nowhere', (page) => page.getByText('No page has this address').waitFor()],
]

/** The editor, with the plan of its text beside it. */
async function specWithPlan(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Spec' }).waitFor()
  await page.getByRole('tab', { name: 'Plan' }).click()
  await page.getByRole('region', { name: 'Plan' }).getByText('Order').waitFor()
}

/** The dialog with everything in it: a fault at a field, what few need, and the plan. */
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

/** What does not depend on when and where the test runs. */
const settled = (text: string): string =>
  text
    .replaceAll(/\b(now|\d+ (s|min|h|d) ago|in \d+ (s|min|h|d))\b/g, '(when)')
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, '(time)')
    .replace(/status "Live": \w+/, 'status "Live": (sign)')
    .replaceAll(/\b([A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M|\d{4}-\d\d-\d\dT\d\d:\d\d)/g, '(moment)')

/** What a screen reader is told, once it stays the same; while a dialog is open, by that alone. */
async function toldBy(page: Page): Promise<string> {
  let before = ''
  return until('the page stays as it is', async () => {
    const dialog = page.getByRole('dialog')
    const place = (await dialog.count()) > 0 ? dialog : page.locator('body')
    const told = settled(await place.ariaSnapshot())
    const isSame = told === before
    before = told
    return isSame ? `${told}\n` : undefined
  })
}

async function visit(page: Page, path: string, ready: (page: Page) => Promise<void>): Promise<void> {
  await page.goto(new URL(path, page.url()).href)
  await ready(page)
}

/**
 * Boxes that the Tab key leads to, and that are too small for a finger. Links in sentences are as high as these; bars
 * of runs are as narrow as a chart has them, and the list of runs has each as a row.
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

/** As WCAG 1.4.12 has it. */
const spacing = `
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
  )
  document.adoptedStyleSheets = [sheet]`
const cutTexts = `
  [...document.querySelectorAll('button, label, h1, h2, dt')]
    .filter((box) => box.checkVisibility() && box.clientWidth > 1 && box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.outerHTML.slice(0, 120))`

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test.each(pages)('what a screen reader is told: %s', async (name, path, ready) => {
    const page = await open(path)
    await ready(page)
    await expect(await toldBy(page)).toMatchFileSnapshot(`./told/${name}.txt`)
  })

  test('every box that the Tab key leads to is at least 24 pixels wide and high', async () => {
    const page = await open('/')
    const small: string[] = []
    for (const [name, path, ready] of pages) {
      await visit(page, path, ready)
      small.push(...(await page.evaluate<string[]>(smallBoxes)).map((box) => `${name}: ${box}`))
    }
    expect(small).toEqual([])
  })

  test('enlarged to 400 %, nothing but tables and graphs scrolls sideways', async () => {
    const page = await open('/', { viewport: { width: 320, height: 256 } })
    const wide: string[] = []
    for (const [name, path, ready] of pages) {
      await visit(page, path, ready)
      if (await page.evaluate<boolean>(isSideways)) wide.push(name)
    }
    expect(wide).toEqual([])
  })

  test('with wider spacing of texts nothing is cut', async () => {
    const page = await open('/')
    const cut: string[] = []
    for (const [name, path, ready] of pages) {
      await visit(page, path, ready)
      await page.evaluate(spacing)
      cut.push(...(await page.evaluate<string[]>(cutTexts)).map((box) => `${name}: ${box}`))
      if (await page.evaluate<boolean>(isSideways)) cut.push(`${name}: scrolls sideways`)
    }
    expect(cut).toEqual([])
  })

  test('nothing moves for those who want no motion', async () => {
    const page = await open('/runs/reach/going?view=steps')
    await isThere('table', 'Steps')(page)
    const moving = (): Promise<number> => page.evaluate<number>('document.getAnimations().length')
    expect(await moving()).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await moving()).toBe(0)
  })

  test('with colours of the system the states keep their shapes', async () => {
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

  test.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)(
    'graph and start, %s, %i pixels wide: nothing that keeps somebody out',
    async (colorScheme, width) => {
      const page = await open('/', { colorScheme, viewport: { width, height: 800 } })
      for (const [name, path, ready] of pages.filter(([name]) => /graph|start|^dag$/.test(name))) {
        await visit(page, path, ready)
        expect((await faultsOf(page)).map((fault) => `${name}: ${fault}`)).toEqual([])
      }
    },
  )
})
