import type { CDPSession, Page } from 'playwright-core'
import { percentile, type Figure } from './figures.ts'

/** What was sent to a page, in bytes on the wire. */
export interface Weight {
  readonly scripts: number
  readonly answers: number
  readonly all: number
}

/** Opens a URL in a fresh page. @returns milliseconds until `ready`, and what was sent by then */
export async function opened(
  page: Page,
  { url, ready, slowdown = 1 }: { url: string; ready: (page: Page) => Promise<void>; slowdown?: number },
): Promise<{ ms: number; weight: Weight }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const kinds = new Map<string, string>()
  const sizes = new Map<string, number>()
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    sizes.set(requestId, encodedDataLength),
  )
  const begun = performance.now()
  await page.goto(url)
  await ready(page)
  const ms = performance.now() - begun
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const sum = (isCounted: (kind: string) => boolean): number =>
    [...sizes].reduce((all, [id, size]) => all + (isCounted(kinds.get(id) ?? '') ? size : 0), 0)
  const weight = {
    scripts: sum((kind) => kind === 'Script'),
    answers: sum((kind) => kind === 'Fetch' || kind === 'XHR'),
    all: sum(() => true),
  }
  await session.detach()
  return { ms, weight }
}

/** Milliseconds of work of the main thread since the page was opened. */
async function busyMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}

/** Frame rate while an action is repeated. */
export async function frames(
  page: Page,
  work: string,
  seconds: number,
  act: (turn: number) => Promise<void>,
): Promise<Figure[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await page.evaluate(`
    globalThis.frameTimes = []
    globalThis.countFrame = (time) => {
      globalThis.frameTimes.push(time)
      globalThis.frameTurn = requestAnimationFrame(globalThis.countFrame)
    }
    globalThis.frameTurn = requestAnimationFrame(globalThis.countFrame)`)
  const busy = await busyMs(session)
  const end = performance.now() + seconds * 1_000
  for (let turn = 0; performance.now() < end; turn++) await act(turn)
  const spent = (await busyMs(session)) - busy
  const times = await page.evaluate<number[]>(
    'cancelAnimationFrame(globalThis.frameTurn), globalThis.frameTimes',
  )
  await session.detach()
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  const whole = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return [
    { work, unit: 'fps', value: (gaps.length / whole) * 1_000 },
    { work: `${work}: frame, p95`, unit: 'ms', value: percentile(gaps, 0.95) },
    { work: `${work}: main thread a frame`, unit: 'ms', value: spent / Math.max(1, gaps.length) },
  ]
}
