import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { browserPath } from './browser.ts'
import { startFront } from './front.ts'
import { webKit } from './kit.ts'

/** The page as `npm run build -- web` writes it, in a bucket on the same origin as the API. */
const folder = mkdtempSync(join(tmpdir(), 'millrace-bucket-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
execFileSync(process.execPath, ['infra/build.ts', '--to', join(folder, 'dist'), 'web'])
const bucket = join(folder, 'dist/web')
const token = 'the-token-of-the-bucket'
const { api, open } = await webKit(
  { basic: undefined, token },
  {
    way: async (url) => {
      const front = await startFront(url, { bucket })
      afterAll(front.close)
      return front.url
    },
  },
)
await api.createDag('orders')

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('the page works from a bucket, including deep links', async () => {
    const page = await open('/dags/orders')
    await page.getByRole('button', { name: 'Use a token' }).click()
    await page.getByRole('textbox', { name: 'Token' }).fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    await page.getByRole('status', { name: 'State' }).getByText('waiting').waitFor()
    await page.goto(new URL('/runs', page.url()).href)
    await page.getByRole('status', { name: 'Live' }).getByText('live', { exact: true }).waitFor()
    await api.claim()
    await page.getByRole('row', { name: /running orders/ }).waitFor()
  })

  test('the docs work from a bucket, including the search', async () => {
    const page = await open('/docs/index.html')
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('queue is full')
    await page.getByRole('link', { name: /^The queue is full/ }).click()
    await page.getByRole('heading', { level: 3, name: 'The queue is full' }).waitFor()
    expect(readFileSync(join(bucket, 'docs/index.html'), 'utf8')).toContain(
      "content=\"default-src 'none'; script-src",
    )
  })

  test('the page contains its content security policy, because a bucket sends no headers', () => {
    const index = readFileSync(join(bucket, 'index.html'), 'utf8')
    expect(index).toMatch(
      /http-equiv="content-security-policy"\s+content="default-src 'none'; script-src 'self';/,
    )
    expect(index).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=/)
  })
})
