import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()
const timelineOf = (page: Page) => page.getByRole('treegrid', { name: 'Timeline' })
const step = (name: string, ...depends: string[]): string =>
  `  - {name: ${name}, command: a, depends: [${depends.join(', ')}]}\n`

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('a timeline of 5,000 steps renders few rows, and End leads to the last', async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `s${index}`)
    await api.createDag('many', `type: graph\nsteps:\n${names.map((name) => step(name)).join('')}`)
    const run = await api.start('many')
    await api.claim()
    const ends = Object.fromEntries(names.map((name) => [name, 'success' as const]))
    await api.finish(run, 'failed', { ...ends, s4321: 'failed' })
    const page = await open(`/runs/many/${run}`)
    const timeline = timelineOf(page)
    await timeline.getByRole('row', { name: 's0 succeeded' }).focus()
    expect(await timeline.getAttribute('aria-rowcount')).toBe('5000')
    expect(await timeline.getByRole('row').count()).toBeLessThan(80)
    await page.keyboard.press('End')
    const last = timeline.getByRole('row', { name: 's4999 succeeded' })
    await last.and(page.locator(':focus')).waitFor()
    expect(await last.getAttribute('aria-rowindex')).toBe('5000')
    await page.keyboard.press('PageUp')
    await timeline.getByRole('row', { name: 's4989 succeeded' }).and(page.locator(':focus')).waitFor()
    await timeline.hover()
    await page.mouse.wheel(0, -80_000)
    await timeline
      .getByRole('row', { name: 's2600 succeeded' })
      .or(timeline.getByRole('row', { name: /^s2\d\d\d/ }).first())
      .first()
      .waitFor()
    expect(await timeline.getByRole('row').count()).toBeLessThan(80)
    await page.goto(`${page.url()}?step=s4321`)
    await timeline.getByRole('row', { name: 's4321 failed' }).waitFor()
    await page.getByRole('switch', { name: 'Hide what succeeded' }).click()
    await timeline.getByRole('row', { name: 's4321 failed' }).waitFor()
    expect(await timeline.getByRole('row').count()).toBe(1)
  })

  test('many child runs are collapsed, and the right and left arrows open and close them', async () => {
    await api.createDag('kid')
    await api.createDag('parent', 'steps:\n  - {name: each, call: kid}\n  - {name: last, command: a}\n')
    const run = await api.start('parent')
    await api.claim()
    for (let child = 0; child < 12; child++) {
      await api.startChild(run, { dagName: 'kid', runId: `kid-${child}`, step: 'each' })
    }
    await api.finish(run, 'success', { each: 'success', last: 'success' })
    const page = await open(`/runs/parent/${run}`)
    const timeline = timelineOf(page)
    const parent = timeline.getByRole('row', { name: 'each succeeded', expanded: false })
    await parent.focus()
    await page.keyboard.press('ArrowRight')
    await timeline.getByRole('row', { level: 2 }).first().waitFor()
    await expect.poll(() => timeline.getByRole('row', { level: 2 }).count()).toBe(12)
    const child = timeline.getByRole('row', { level: 2 }).first().getByRole('link')
    expect(await child.getAttribute('href')).toMatch(/\/child\/kid-/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowLeft')
    await timeline
      .getByRole('row', { name: 'each succeeded', expanded: true })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.press('ArrowLeft')
    await parent.waitFor()
    expect(await timeline.getByRole('row', { level: 2 }).count()).toBe(0)
  })

  test('the timeline zooms by keys, buttons and a drag over the axis', async () => {
    await api.createDag('two', 'steps:\n  - {name: one, command: a}\n  - {name: other, command: a}\n')
    const run = await api.start('two')
    await api.claim()
    await api.finish(run, 'success', { one: 'success', other: 'success' })
    const page = await open(`/runs/two/${run}`)
    const row = timelineOf(page).getByRole('row', { name: 'one succeeded' })
    await row.focus()
    const whole = page.getByRole('button', { name: 'Whole run' })
    const isWhole = (): Promise<string | null> => whole.getAttribute('aria-disabled')
    expect(await isWhole()).toBe('true')
    await page.keyboard.press('+')
    expect(await isWhole()).toBe('false')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('0')
    expect(await isWhole()).toBe('true')
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await whole.click()
    const area = await timelineOf(page).boundingBox()
    const y = (area?.y ?? 0) + 10
    await page.mouse.move(500, y)
    await page.mouse.down()
    await page.mouse.move(700, y, { steps: 4 })
    await page.mouse.up()
    expect(await isWhole()).toBe('false')
  })

  test('the critical path is described in words', async () => {
    await api.createDag('critical', 'steps:\n  - {name: slow, command: a}\n  - {name: next, command: a}\n')
    const run = await api.start('critical')
    await api.claim()
    await api.finish(run, 'failed', { slow: 'success', next: 'failed' })
    const page = await open(`/runs/critical/${run}`)
    const next = timelineOf(page).getByRole('row', { name: 'next failed' })
    await next.getByText('on the critical path').waitFor({ state: 'attached' })
  })

  test('the bar and the duration of a running step grow with the clock', async () => {
    await api.createDag('grows', `type: graph\nsteps:\n${step('quick')}${step('slow')}`)
    const run = await api.start('grows')
    await api.claim()
    const page = await open('/livez')
    await page.clock.install()
    const startedAtMs = await page.evaluate<number>('Date.now()')
    const steps = [
      { status: 4, startedAtMs, durationMs: 1_000 },
      { status: 1, startedAtMs },
    ]
    await page.route(/\/(outline|why|stats)(\?|$)/, async (route) => {
      const response = await route.fetch()
      // The page synchronizes its clock with the service.
      const date = await page.evaluate<string>('new Date().toUTCString()')
      const headers = { ...response.headers(), date }
      if (response.status() === 304) return route.fulfill({ response, headers })
      const body = (await response.json()) as { nodes?: object[] }
      body.nodes?.forEach((node, index) => Object.assign(node, steps[index]))
      await route.fulfill({ response, json: body, headers })
    })
    await page.goto(`${new URL(page.url()).origin}/runs/grows/${run}`)
    const bar = timelineOf(page).getByRole('row', { name: 'slow running' })
    const widthOf = async (): Promise<number> =>
      (await bar.locator('.step-timeline-bar').boundingBox())?.width ?? 0
    const quick = timelineOf(page).getByRole('row', { name: 'quick succeeded' }).locator('.step-timeline-bar')
    await bar.waitFor()
    await page.clock.fastForward(20_000)
    await bar.getByText(/^2\d s$/).waitFor()
    const [before, other] = [await widthOf(), (await quick.boundingBox())?.width ?? 0]
    await page.clock.fastForward(100_000)
    await bar.getByText(/^2 min/).waitFor()
    // The timeline grows with it, so finished steps take a smaller part.
    expect(await widthOf()).toBeGreaterThan(before * 0.99)
    expect((await quick.boundingBox())?.width ?? 0).toBeLessThan(other / 2)
  })

  test('idle hours are cut from the timeline, and drawn on demand', async () => {
    await api.createDag('pause', `type: graph\nsteps:\n${step('early')}${step('late', 'early')}`)
    const run = await api.start('pause')
    await api.claim()
    await api.finish(run, 'success', { early: 'success', late: 'success' })
    const page = await open('/livez')
    await page.route(`**/dag-runs/pause/${run}/outline`, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { nodes: { startedAtMs: number; durationMs: number }[] }
      body.nodes.forEach((node, index) => {
        Object.assign(node, { startedAtMs: 1_700_000_000_000 + index * 9 * 3_600_000, durationMs: 300_000 })
      })
      return route.fulfill({ response: answer, json: body })
    })
    await page.goto(`${new URL(page.url()).origin}/runs/pause/${run}`)
    const timeline = timelineOf(page)
    await timeline.getByText('8 h 55 min idle').waitFor()
    await page.getByRole('switch', { name: 'Cut idle time', checked: true }).click()
    await timeline.getByText('8 h', { exact: true }).waitFor()
    expect(await timeline.getByText('8 h 55 min idle').count()).toBe(0)
  })
})
