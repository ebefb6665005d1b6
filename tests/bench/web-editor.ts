import type { Browser, Page } from 'playwright-core'
import { chain, dagText, nextName, put } from './calls.ts'
import { percentile, type Figure } from './figures.ts'
import type { Service } from './service.ts'

const rounds = 12
const keys = 60
/** Milliseconds between two keys of a fast typist. */
const keyMs = 70

/** Time from the last key to the problem, and work of the main thread while typing. */
export async function measureEditor(
  browser: Browser,
  service: Service,
  { url, steps }: { url: string; steps: number },
): Promise<Figure[]> {
  const what = `editor with ${steps} steps`
  const name = nextName('edited')
  await put(service, name, dagText(steps, 'echo', chain))
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
  await page.goto(`${url}/dags/${name}/spec`)
  await page.getByText('No problems').waitFor()
  await page.evaluate(watching)
  await page.getByRole('textbox', { name: 'Spec' }).focus()
  await page.keyboard.press('Control+Home')
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await page.keyboard.press('x')
    times.push(await reported(page, 'line 1: '))
    await page.keyboard.press('Backspace')
    times.push(await reported(page, 'No problems'))
  }
  const work = await typed(browser, page)
  await page.close()
  return [
    { work: `${what}: last key to its problem, p50`, unit: 'ms', value: percentile(times, 0.5) },
    { work: `${what}: last key to its problem, p95`, unit: 'ms', value: percentile(times, 0.95) },
    { work: `${what}: longest work of a key, CPU`, unit: 'ms', value: Math.max(...work) },
  ]
}

/** Notes when a key is pressed, and when problems are shown. */
const watching = `
  globalThis.noted = { keyAt: 0, saidAt: 0 }
  addEventListener('keydown', () => Object.assign(noted, { keyAt: performance.now(), saidAt: 0 }), true)
  new MutationObserver(() => (noted.saidAt = performance.now()))
    .observe(document.querySelector('.problem-list'), { subtree: true, childList: true, characterData: true })`

/** @returns milliseconds from the key to the text of the problems */
const reported = (page: Page, text: string): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const list = document.querySelector('.problem-list')
    const look = () =>
      noted.saidAt > 0 && list.textContent.startsWith(${JSON.stringify(text)})
        ? resolve(noted.saidAt - noted.keyAt)
        : setTimeout(look, 5)
    look()
  })`)

/** The events in which our code blocks the main thread. Idle callbacks do not. */
const handlers = new Set(['EventDispatch', 'TimerFire', 'FireAnimationFrame'])

/** Types a comment at the end of the text. @returns milliseconds of CPU that each piece of work took */
async function typed(browser: Browser, page: Page): Promise<number[]> {
  await page.keyboard.press('Control+End')
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await page.keyboard.type(`# ${'somebody writes '.repeat(keys)}`.slice(0, keys), { delay: keyMs })
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly { readonly name: string; readonly tdur?: number }[]
  }
  return trace.traceEvents.filter(({ name }) => handlers.has(name)).map(({ tdur = 0 }) => tdur / 1_000)
}
