import { mkdirSync, readFileSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import type { ApiDeps } from '#functions/api/index.ts'
import type { AuthSettings } from '#lib/api/auth/auth.ts'
import { createWebPage } from '#lib/api/web-page/web-page.ts'
import type { Database } from '#lib/db/client.ts'
import { listen } from '#local/listen.ts'
import { testApi } from '#tests/support/api.ts'
import { builtPage } from '#tests/support/built-page.ts'
import { browsersFolder } from '#tests/support/run-folder.ts'
import { browserFlags, browserPath } from './browser.ts'

/**
 * Serves the API with its page on a port, and opens it in a browser.
 * @param auth default: no authentication
 * @param way returns the URL to open, given the URL of the API; default: the same
 * @param connected connects the API to the database, given its URL; default: directly
 */
export async function webKit(
  auth?: AuthSettings,
  {
    way,
    connected,
    ...own
  }: Pick<ApiDeps, 'allowedHosts' | 'remoteNodes'> & {
    way?: (url: string) => Promise<string>
    connected?: (url: string) => Promise<Database>
  } = {},
) {
  const api = await testApi()
  const db = await connected?.(api.database.url)
  const web = createWebPage(await builtPage())
  if (web === undefined) throw new Error('the page was not built')
  const parts = api.with({
    page: web,
    isOneInstance: true,
    ...own,
    ...(db && { db }),
    ...(auth !== undefined && { auth }),
  })
  const served = await listen(parts.fetch, { host: '127.0.0.1', port: 0, trustedProxies: [] })
  afterAll(() => served.close())
  const url = (await way?.(served.url)) ?? served.url

  /** Opens a path. Any error that the browser reports, of the content security policy or of scripts, fails the test. */
  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, ...options })
    const page = await context.newPage()
    const reports: string[] = []
    page.on('pageerror', (error) => reports.push(error.message))
    page.on('console', (message) => {
      // A call that the API refuses is not an error of the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        reports.push(message.text())
      }
    })
    onTestFinished(async () => {
      // Routes and listeners of the test would still handle requests of a page that is being closed.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      for (const event of ['response', 'requestfinished']) page.removeAllListeners(event)
      await context.close()
      expect(reports).toEqual([])
    })
    await page.goto(url + path)
    return page
  }
  return { api, url, open }
}

let launched: Promise<Browser> | undefined

/** All files of a worker share a browser, which ends with the worker. */
function browser(): Promise<Browser> {
  return (launched ??= launch(browserPath ?? expect.fail('there is no browser')))
}

/** Its profile and downloads outlive the test file, so they are not in the temporary folder of that file. */
async function launch(executablePath: string): Promise<Browser> {
  const { TMPDIR = '/tmp' } = process.env
  process.env['TMPDIR'] = browsersFolder()
  mkdirSync(browsersFolder(), { recursive: true })
  try {
    return await chromium.launch({ executablePath, args: browserFlags })
  } finally {
    process.env['TMPDIR'] = TMPDIR
  }
}

/** Waits until no element was added or removed for ten frames: late elements move the boxes that axe compares. */
const settled = `new Promise((settle) => {
  let stillFor = 0
  const watcher = new MutationObserver(() => { stillFor = 0 })
  watcher.observe(document, { childList: true, subtree: true })
  const end = performance.now() + 3_000
  const look = () => {
    stillFor += 1
    if (stillFor < 10 && performance.now() < end) requestAnimationFrame(look)
    else settle(watcher.disconnect())
  }
  look()
})`

/** The accessibility violations that axe finds, one line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(settled)
  return await analyze(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
}

/** The violations in both themes. They differ only in colours, so the dark one is checked only for contrast. */
export async function faultsInBothThemes(page: Page): Promise<string[]> {
  const faults = await faultsOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await analyze(page, ['color-contrast', 'link-in-text-block'])
  await page.emulateMedia({ colorScheme: 'light' })
  return [...faults, ...dark.map((fault) => `dark: ${fault}`)]
}

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** @param runOnly names of rules, or tags of them */
async function analyze(page: Page, runOnly: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe)
  return await page.evaluate<string[]>(`
    axe.run({ runOnly: ${JSON.stringify(runOnly)}, reporter: 'no-passes' }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`)
}
