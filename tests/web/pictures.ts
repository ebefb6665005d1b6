import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { serve } from '#tests/support/command-line.ts'
import { until } from '#tests/support/until.ts'
import { browserFlags, browserPath } from './browser.ts'

/** `npm run pictures` retakes the screenshots in the docs: the page of a new service, light and dark. */
const folder = new URL('../../docs/pictures/', import.meta.url).pathname

const failing = `
description: Loads the orders of the night
params: [DAY=2026-11-21]
steps:
  - name: fetch
    command: echo fetching the orders of $DAY
  - name: check
    depends: fetch
    command: sleep 0.2
  - name: load
    depends: check
    script: |
      echo "1,204 orders to load"
      echo "cannot connect to warehouse.example:5432: connection refused" >&2
      exit 3
  - name: report
    depends: load
    command: echo done
`

const waiting = `
workerSelector: {region: eu}
steps:
  - name: resize
    command: echo done
`

const isLive = (page: Page): Promise<void> =>
  page.getByRole('status', { name: 'Live' }).getByText('live', { exact: true }).waitFor()

/** The head of the page and the reason why the run waits. */
const waitingClip = { x: 0, y: 0, width: 1100, height: 300 }

if (browserPath === undefined) throw new Error('pictures need chromium')
const data = mkdtempSync(join(tmpdir(), 'millrace-pictures-'))
const service = await serve(['up'], {
  MILLRACE_DATA_DIR: data,
  MILLRACE_PORT: '0',
  MILLRACE_LOG_LEVEL: 'silent',
})
const api = `${service.url}/api/v2`

async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

try {
  mkdirSync(folder, { recursive: true })
  await post('/dags', { name: 'orders', spec: failing })
  for (let count = 0; count < 12; count++) await post('/dags/hello/start')
  for (let count = 0; count < 8; count++) await post('/dags/shop-report/start')
  const { dagRunId } = await post<{ dagRunId: string }>('/dags/orders/start')
  await until('all runs have ended', async () => {
    const active = await Promise.all(
      ['not_started', 'running', 'queued'].map(async (status) => {
        const answer = await fetch(`${api}/dag-runs?status=${status}`)
        return ((await answer.json()) as { dagRuns: unknown[] }).dagRuns
      }),
    )
    return active.flat().length === 0 || undefined
  })
  await post('/dags', { name: 'images', spec: waiting })
  const { dagRunId: waitingId } = await post<{ dagRunId: string }>('/dags/images/start')
  const browser = await chromium.launch({ executablePath: browserPath, args: browserFlags })
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1100, height: 560 } })
    await page.goto(`${service.url}/`)
    await page
      .getByRole('row', { name: /orders/ })
      .getByText('failed')
      .waitFor()
    await isLive(page)
    await page.screenshot({ path: join(folder, `dags-${colorScheme}.png`) })
    await page.goto(`${service.url}/runs/orders/${dagRunId}`)
    await page.getByText('connection refused').waitFor()
    await page.screenshot({ path: join(folder, `run-${colorScheme}.png`) })
    await page.goto(`${service.url}/runs/images/${waitingId}`)
    await page.getByText('What to do').waitFor()
    await isLive(page)
    await page.screenshot({ path: join(folder, `waiting-${colorScheme}.png`), clip: waitingClip })
  }
  await browser.close()
} finally {
  service.process.kill('SIGTERM')
  await service.code
  rmSync(data, { recursive: true, force: true })
}
