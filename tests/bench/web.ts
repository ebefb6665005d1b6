import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { browserFlags, browserPath } from '#tests/web/browser.ts'
import { alone, dagText, layered, nextName, put, together, untilFinished } from './calls.ts'
import type { Figure } from './figures.ts'
import { makeLog } from './logs.ts'
import type { Service } from './service.ts'
import { measureEditor } from './web-editor.ts'
import { frames, opened } from './web-page.ts'

export interface WebSizes {
  readonly dags: number
  readonly steps: number
  readonly megabytes: number
  /** The duration of each measurement of frames. */
  readonly seconds: number
}

interface RunRef {
  readonly name: string
  readonly id: string
}

/** The page in Chromium without a GPU: a list of DAGs, a run of many steps, a long log. */
export async function measureWeb(service: Service, url: string, sizes: WebSizes): Promise<Figure[]> {
  if (browserPath === undefined) throw new Error('the figures of the page need chromium')
  await putDags(service, sizes.dags)
  const run = { name: nextName('steps'), id: nextName('run') }
  await put(service, run.name, dagText(sizes.steps, 'echo', layered))
  await service.post(`/dags/${run.name}/start`, { dagRunId: run.id })
  await untilFinished(service, run.name, run.id, 200)
  const log = await makeLog(service, sizes.megabytes)
  const browser = await chromium.launch({ executablePath: browserPath, args: browserFlags })
  try {
    return [
      ...(await measureList(browser, `${url}/dags`, sizes)),
      ...(await scrollList(browser, url, sizes)),
      ...(await measureTimeline(browser, url, run, sizes)),
      ...(await measureGraph(browser, url, run, sizes)),
      ...(await measureLogView(browser, url, log, sizes)),
      ...(await measureEditor(browser, service, { url, steps: Math.min(2_000, sizes.steps) })),
    ]
  } finally {
    await browser.close()
  }
}

async function putDags(service: Service, count: number): Promise<void> {
  const names = Array.from({ length: count }, () => nextName('web'))
  const spec = dagText(1, 'echo', alone)
  await together(8, names, (name) => put(service, name, spec))
}

/** The weight of the list in the peer's own page, and the time until its rows are shown. */
export async function measurePeerList(service: Service, url: string, sizes: WebSizes): Promise<Figure[]> {
  if (browserPath === undefined) throw new Error('the figures of the page need chromium')
  await putDags(service, sizes.dags)
  const browser = await chromium.launch({ executablePath: browserPath, args: browserFlags })
  try {
    return await measureList(browser, `${url}/dags/`, sizes)
  } finally {
    await browser.close()
  }
}

const newPage = (browser: Browser): Promise<Page> =>
  browser.newPage({ viewport: { width: 1_440, height: 900 } })

async function measureList(browser: Browser, url: string, sizes: WebSizes): Promise<Figure[]> {
  const work = `list of ${sizes.dags} DAGs`
  const ready = (page: Page): Promise<void> =>
    page.getByText(/^web-/).filter({ visible: true }).first().waitFor()
  const page = await newPage(browser)
  const { ms, weight } = await opened(page, { url, ready })
  const slow = await newPage(browser)
  const throttled = await opened(slow, { url, ready, slowdown: 4 })
  await slow.close()
  await page.close()
  return [
    { work: `${work}: time to rows`, unit: 'ms', value: ms },
    { work: `${work}: time to rows, a quarter of the CPU`, unit: 'ms', value: throttled.ms },
    { work: `${work}: scripts until rows`, unit: 'kB', value: weight.scripts / 1_000 },
    { work: `${work}: all bytes until rows`, unit: 'kB', value: weight.all / 1_000 },
  ]
}

async function scrollList(browser: Browser, url: string, sizes: WebSizes): Promise<Figure[]> {
  const page = await newPage(browser)
  await page.goto(`${url}/dags`)
  await page.getByRole('table', { name: 'DAGs' }).waitFor()
  await page.mouse.move(700, 500)
  const scrolling = await frames(page, `list of ${sizes.dags} DAGs: scrolled`, sizes.seconds, (turn) =>
    page.mouse.wheel(0, turn % 60 < 30 ? 120 : -120),
  )
  await page.close()
  return scrolling
}

async function measureTimeline(
  browser: Browser,
  url: string,
  run: RunRef,
  sizes: WebSizes,
): Promise<Figure[]> {
  const work = `run of ${sizes.steps} steps, timeline`
  const page = await newPage(browser)
  const timeline = page.getByRole('treegrid', { name: 'Timeline' })
  const { ms, weight } = await opened(page, {
    url: `${url}/runs/${run.name}/${run.id}`,
    ready: () => timeline.getByRole('row').first().waitFor(),
  })
  await timeline.hover()
  const scrolling = await frames(page, `${work}: scrolled`, sizes.seconds, (turn) =>
    page.mouse.wheel(0, turn % 120 < 60 ? 240 : -240),
  )
  await page.close()
  return [
    { work: `${work}: time to rows`, unit: 'ms', value: ms },
    { work: `${work}: answers until rows`, unit: 'kB', value: weight.answers / 1_000 },
    ...scrolling,
  ]
}

async function measureGraph(browser: Browser, url: string, run: RunRef, sizes: WebSizes): Promise<Figure[]> {
  const work = `run of ${sizes.steps} steps, graph`
  const page = await newPage(browser)
  const area = page.getByRole('region', { name: 'Graph' }).getByRole('group')
  const { ms } = await opened(page, {
    url: `${url}/runs/${run.name}/${run.id}?view=graph`,
    ready: () => area.getByRole('link').first().waitFor(),
  })
  await area.scrollIntoViewIfNeeded()
  const { x = 0, y = 0, width = 0, height = 0 } = (await area.boundingBox()) ?? {}
  const [middleX, middleY] = [x + width / 2, y + Math.min(height, 400) / 2]
  await page.mouse.move(middleX, middleY)
  await page.mouse.down()
  const whole = await frames(page, `${work}: whole, moved`, sizes.seconds, (turn) =>
    page.mouse.move(middleX + 200 * Math.sin(turn / 20), middleY + 60 * Math.cos(turn / 20)),
  )
  await page.mouse.up()
  await page.getByRole('button', { name: 'Fit' }).focus()
  await page.keyboard.press('Tab')
  for (let zoom = 0; zoom < 20; zoom++) await page.keyboard.press('+')
  await page.mouse.move(middleX, middleY)
  await page.mouse.down()
  const near = await frames(page, `${work}: near, moved`, sizes.seconds, (turn) =>
    page.mouse.move(middleX + 300 * Math.sin(turn / 20), middleY + 100 * Math.cos(turn / 20)),
  )
  await page.mouse.up()
  await page.close()
  return [{ work: `${work}: time to boxes`, unit: 'ms', value: ms }, ...whole, ...near]
}

async function measureLogView(
  browser: Browser,
  url: string,
  log: RunRef,
  sizes: WebSizes,
): Promise<Figure[]> {
  const work = `log of ${sizes.megabytes} MB`
  const page = await newPage(browser)
  const region = page.getByRole('region', { name: 'Log', exact: true })
  const lineOf = (line: number): string => `line ${String(line).padStart(12, '0')}`
  const address = `${url}/runs/${log.name}/${log.id}/log?step=big&stream=stdout`
  const middle = Math.round(sizes.megabytes * 6_000)
  const { ms } = await opened(page, {
    url: `${address}#L${middle}`,
    ready: () => region.getByText(lineOf(middle)).first().waitFor(),
  })
  await region.hover()
  const wheel = await frames(page, `${work}: scrolled`, sizes.seconds, () => page.mouse.wheel(0, 120))
  const fast = await frames(page, `${work}: scrolled fast`, sizes.seconds, () => page.mouse.wheel(0, 3_000))
  await page.close()
  return [{ work: `${work}: time to a line in its middle`, unit: 'ms', value: ms }, ...wheel, ...fast]
}

const shown = `
type: graph
steps:
  - {name: get, command: echo got, depends: []}
  - {name: check, command: "echo no >&2; exit 3", depends: [get]}
  - {name: load, command: echo, depends: [check]}
`

/** Takes screenshots of each page in both themes, wide and narrow, and with colour vision deficiencies. */
export async function takePictures(service: Service, url: string, folder: string): Promise<void> {
  if (browserPath === undefined) throw new Error('pictures need chromium')
  mkdirSync(folder, { recursive: true })
  const name = nextName('shown')
  await put(service, name, shown)
  const id = nextName('run')
  await service.post(`/dags/${name}/start`, { dagRunId: id })
  await untilFinished(service, name, id, 50)
  const run = `/runs/${name}/${id}`
  const pages = {
    dags: `/dags?q=${name}`,
    dag: `/dags/${name}`,
    runs: '/runs',
    timeline: run,
    graph: `${run}?view=graph`,
    steps: `${run}?view=steps`,
    log: `${run}/log?step=check&stream=stderr`,
  }
  const browser = await chromium.launch({ executablePath: browserPath, args: browserFlags })
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1_280, 375]) {
        const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } })
        for (const [what, path] of Object.entries(pages)) {
          await page.goto(`${url}${path}`)
          await page
            .getByText(/failed|no/)
            .first()
            .waitFor()
          const isGraph = what === 'graph' || what === 'dag'
          if (isGraph) await page.getByRole('region', { name: 'Graph' }).getByText('check').waitFor()
          await page.screenshot({ path: join(folder, `${what}-${colorScheme}-${width}.png`) })
          if (what !== 'graph' || width < 1_000) continue
          const session = await page.context().newCDPSession(page)
          for (const type of ['deuteranopia', 'protanopia', 'tritanopia', 'achromatopsia'] as const) {
            await session.send('Emulation.setEmulatedVisionDeficiency', { type })
            await page.screenshot({ path: join(folder, `${what}-${colorScheme}-${type}.png`) })
          }
          await session.detach()
        }
        await page.close()
      }
    }
  } finally {
    await browser.close()
  }
}
