import { describe, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()
const step = (name: string, ...depends: string[]): string =>
  `  - {name: ${name}, command: a, depends: [${depends.join(', ')}]}\n`
const graph = (...steps: string[]): string => `type: graph\nsteps:\n${steps.join('')}`
const graphOf = (page: Page) => page.getByRole('region', { name: 'Graph' })

/** The position of a box within its graph. */
async function positionOf(box: Locator): Promise<string> {
  const area = await box.page().getByRole('region', { name: 'Graph' }).getByRole('group').boundingBox()
  const own = await box.boundingBox()
  return `${Math.round((own?.x ?? 0) - (area?.x ?? 0))} ${Math.round((own?.y ?? 0) - (area?.y ?? 0))}`
}

/** An event of a browser trace. */
interface TraceEvent {
  readonly name: string
  readonly tid: number
  readonly args: { readonly name?: string }
  /** CPU time of the thread, microseconds. */
  readonly tdur?: number
}

/** The number of tasks with more than 50 ms of CPU time on the main thread of the page, regardless of other load. */
async function longTasks(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  await act()
  const trace = JSON.parse(String(await browser?.stopTracing())) as { traceEvents: TraceEvent[] }
  const mains = new Set(
    trace.traceEvents.filter(({ args }) => args.name === 'CrRendererMain').map(({ tid }) => tid),
  )
  const tasks = trace.traceEvents.filter(({ name, tid }) => name === 'RunTask' && mains.has(tid))
  expect(tasks.length).toBeGreaterThan(0)
  return tasks.filter(({ tdur = 0 }) => tdur > 50_000).length
}

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('arrow keys follow the edges, and Enter opens the log', async () => {
    await api.createDag(
      'ways',
      graph(step('get'), step('left', 'get'), step('right', 'get'), step('join', 'left', 'right')),
    )
    const run = await api.start('ways')
    await api.claim()
    await api.writeLog(run, 'left', 'stdout', 'went left\n')
    await api.finish(run, 'failed', { get: 'success', left: 'failed', right: 'success' })
    const page = await open(`/runs/ways/${run}`)
    await page.getByRole('link', { name: 'Graph' }).click()
    const region = graphOf(page)
    const failed = region.getByRole('link', { name: /^left failed/ })
    await failed.waitFor()
    await region.getByRole('button', { name: 'Fit' }).focus()
    await page.keyboard.press('Tab')
    expect(await failed.evaluate((box) => box.matches(':focus'))).toBe(true)
    await page.keyboard.press('ArrowRight')
    const focused = page.locator(':focus')
    await region
      .getByRole('button', { name: /^join waiting/ })
      .and(focused)
      .waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowDown')
    await region
      .getByRole('link', { name: /^right succeeded/ })
      .and(focused)
      .waitFor()
    await page.keyboard.press('ArrowLeft')
    await region
      .getByRole('link', { name: /^get succeeded/ })
      .and(focused)
      .waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Log' }).getByText('went left').waitFor()
  })

  test('4,998 equal steps are drawn as one stack, which opens in place', async () => {
    const names = Array.from({ length: 4_998 }, (_, index) => `work${index}`)
    await api.createDag(
      'fan',
      graph(step('split'), ...names.map((name) => step(name, 'split')), step('join', ...names)),
    )
    const run = await api.start('fan')
    await api.claim()
    await api.finish(run, 'failed', { split: 'success', work0: 'success', work7: 'failed' })
    const page = await open(`/runs/fan/${run}?view=graph`)
    const region = graphOf(page)
    const stack = region.getByRole('button', { name: 'work0 × 4998 1 failed, 4996 waiting, 1 succeeded' })
    await stack.waitFor()
    expect(await region.getByRole('group').getByRole('link').count()).toBe(1)
    expect(await region.getByRole('group').getByRole('button').count()).toBe(2)
    const before = await positionOf(stack)
    await stack.click()
    const first = region.getByRole('link', { name: /^work0 succeeded/ })
    await first.and(page.locator(':focus')).waitFor()
    expect(await positionOf(first)).toBe(before)
    expect(await region.getByRole('group').locator('a, button').count()).toBeLessThan(120)
    await page.keyboard.press('ArrowDown')
    await region
      .getByRole('button', { name: /^work1 waiting/ })
      .and(page.locator(':focus'))
      .waitFor()
    await region.getByRole('button', { name: 'Fold equal steps' }).click()
    await stack.waitFor()
  })

  test('a graph of 1,000 steps has few elements, and moving it causes no long task', async () => {
    const depends = (index: number): string[] =>
      index === 0 ? [] : [`s${index - 1 - ((index * 7) % Math.min(index, 40))}`, `s${index >> 1}`]
    const steps = Array.from({ length: 1_000 }, (_, index) =>
      step(`s${index}`, ...new Set(depends(index).filter((name) => name !== `s${index}`))),
    )
    await api.createDag('wide', graph(...steps))
    const run = await api.start('wide')
    await api.claim()
    await api.finish(run, 'failed', { s0: 'success', s1: 'failed' })
    const page = await open(`/runs/wide/${run}?view=graph`)
    const group = graphOf(page).getByRole('group')
    await group.getByRole('link', { name: /^s1 failed/ }).waitFor()
    // Zoomed out, only the Tab stop is an element.
    expect(await group.locator('a, button').count()).toBe(1)
    const moved = longTasks(page, async () => {
      await page.mouse.move(400, 500)
      await page.mouse.down()
      for (let move = 0; move < 30; move++) await page.mouse.move(400 + move * 7, 500)
      await page.mouse.up()
      await graphOf(page).getByRole('button', { name: 'Fit' }).focus()
      await page.keyboard.press('Tab')
      for (let zoom = 0; zoom < 14; zoom++) await page.keyboard.press('+')
      await page.keyboard.press('ArrowRight')
    })
    expect(await moved).toBe(0)
    const count = await group.locator('a, button').count()
    expect(count).toBeGreaterThan(1)
    expect(count).toBeLessThanOrEqual(121)
    await page.keyboard.press('0')
  })

  test('the graph of a DAG links to the DAGs that it calls', async () => {
    await api.createDag('kid')
    await api.createDag(
      'caller',
      graph(step('prepare'), '  - {name: child, call: kid, depends: [prepare]}\n'),
    )
    const page = await open('/dags/caller')
    const child = graphOf(page).getByRole('link', { name: 'child calls kid' })
    await child.click()
    await page.getByRole('heading', { level: 1, name: 'kid' }).waitFor()
  })

  test('the graph and its worker are loaded on demand, with less than 20 kB', async () => {
    await api.createDag('light')
    const run = await api.start('light')
    const page = await open(`/runs/light/${run}`)
    await page.getByRole('treegrid').waitFor()
    const sized: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (!request.url().endsWith('.js')) return
      sized.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await page.getByRole('link', { name: 'Graph' }).click()
    await graphOf(page).getByRole('button', { name: 'work waiting' }).waitFor()
    const bytes = (await Promise.all(sized)).reduce((sum, size) => sum + size, 0)
    console.log(`graph, bytes sent: ${bytes} of scripts`)
    expect(sized.length).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(20_000)
  })
})
