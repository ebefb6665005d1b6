import { afterAll, describe, expect, test } from 'vitest'
import { browserPath } from './browser.ts'
import { startFront } from './front.ts'
import { faultsInBothThemes, webKit } from './kit.ts'

const prefix = '/tools/millrace'
const { api, open } = await webKit(undefined, {
  way: async (url) => {
    const front = await startFront(url, { prefix })
    afterAll(front.close)
    return front.url
  },
})

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 120_000 }, () => {
  test('the search leads to a section by keyboard, and all requests stay below the prefix', async () => {
    const page = await open('/docs')
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await page.keyboard.press('/')
    await page.keyboard.type('schedule does not fire')
    await page.getByRole('search').getByRole('status').getByText('found').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Troubleshooting' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#a-schedule-does-not-fire')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tutorial' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tutorial' }).waitFor()
    expect(paths.filter((path) => !path.startsWith(`${prefix}/docs/`))).toEqual([])
  })

  test('a search without results says so until Escape', async () => {
    const page = await open('/docs/')
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('zebra zebra')
    const words = page.getByText('Nothing matches all of these words.')
    await words.waitFor()
    await page.keyboard.press('Escape')
    await words.waitFor({ state: 'hidden' })
  })

  test('the docs and their pictures share the theme of the app', async () => {
    const page = await open('/docs/web', { colorScheme: 'light' })
    await page.getByLabel('Theme').selectOption('dark')
    const shown = (): Promise<unknown> =>
      page.evaluate(
        '[getComputedStyle(document.documentElement).colorScheme, document.querySelector("img").currentSrc]',
      )
    await expect.poll(shown).toEqual(['dark', expect.stringContaining('-dark.png')])
    await page.reload()
    await expect.poll(shown).toEqual(['dark', expect.stringContaining('-dark.png')])
    await page.goto(new URL('../', page.url()).href)
    await page.getByRole('button', { name: 'Account' }).click()
    expect(await page.getByRole('radio', { name: 'dark' }).isChecked()).toBe(true)
  })

  test.each([1280, 375])('has no accessibility violations in either theme at %i pixels', async (width) => {
    const page = await open('/docs/', { colorScheme: 'light', viewport: { width, height: 800 } })
    for (const name of ['', 'dag-file', 'tutorial', 'benchmarks']) {
      await page.goto(new URL(name, page.url()).href)
      expect(await faultsInBothThemes(page), name).toEqual([])
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(over, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
    }
  })

  test('the reason why a run waits and the account menu link to the docs in a new tab', async () => {
    await api.createDag('waits')
    const run = await api.start('waits')
    const page = await open(`/runs/waits/${run}`)
    const opened = page.waitForEvent('popup')
    await page
      .getByRole('region', { name: 'Why' })
      .getByRole('link', { name: /^What to do/ })
      .click()
    const help = await opened
    await help.getByRole('heading', { level: 3, name: 'No runner takes it' }).waitFor()
    expect(new URL(help.url()).pathname).toBe(`${prefix}/docs/troubleshooting.html`)
    await page.getByRole('button', { name: 'Account' }).click()
    const second = page.waitForEvent('popup')
    await page.getByRole('link', { name: /^Docs/ }).click()
    await (await second).getByRole('heading', { level: 1, name: 'Millrace' }).waitFor()
  })

  test('text and navigation work without scripts', async () => {
    const page = await open('/docs/concepts', { javaScriptEnabled: false })
    await page.getByRole('heading', { level: 1, name: 'Concepts' }).waitFor()
    await page.getByRole('link', { name: 'Cookbook' }).first().waitFor()
  })
})
