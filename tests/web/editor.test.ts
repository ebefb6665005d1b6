import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Locator, Page, Response } from 'playwright-core'
import { ownDag } from '#tests/support/own-dag.ts'
import { until } from '#tests/support/until.ts'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

const { api, open } = await webKit()

const diamond = `type: graph
params:
  - NAME: world
secrets:
  - {name: TOKEN, provider: env, key: TOKEN_OF_THIS_TEST}
schedule: "0 4 * * *"
steps:
  - name: fetch
    command: echo "fetch $NAME"
  - name: left
    command: echo left
    depends: fetch
  - name: right
    command: echo right
    depends: fetch
  - name: join
    command: echo joined
    depends: [left, right]
`
const specOf = async (name: string): Promise<string> =>
  (await api.get<{ spec: string }>(`/dags/${name}/spec`)).body.spec
const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Spec' })
const problems = (page: Page): Locator => page.getByRole('list', { name: 'Problems' }).getByRole('listitem')
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click()
const node = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Graph' }).getByRole('button', { name: new RegExp(`^${name}`) })
const keptDrafts = (page: Page): Promise<number> =>
  page.evaluate<number>("Object.keys(localStorage).filter((key) => key.startsWith('millrace.draft')).length")

async function edit(name: string, spec = diamond): Promise<Page> {
  await api.createDag(name, spec)
  return opened(await open(`/dags/${name}/spec`))
}
async function opened(page: Page): Promise<Page> {
  await box(page).waitFor()
  await page.getByText('No problems').waitFor()
  return page
}
const afterReload = async (page: Page): Promise<void> => {
  await page.reload()
  await box(page).waitFor()
}
const heldBy = (page: Page, draft: number): Promise<true> =>
  until('the draft is kept', async () => (await keptDrafts(page)) === draft || undefined)

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 90_000 }, () => {
  test('a DAG of 30 steps is written from scratch with completions', async () => {
    const page = await open('/new')
    await page.getByRole('textbox', { name: 'Name' }).fill('thirty')
    await page.getByRole('combobox', { name: 'Template' }).selectOption('Nothing')
    await box(page).click()
    await page.keyboard.type('ty')
    // Not by Enter, which CodeMirror ignores for 75 ms after it has opened the list.
    await page.getByRole('option', { name: 'type' }).click()
    await page.getByRole('option', { name: 'graph' }).click()
    await page.keyboard.press('Enter')
    await page.keyboard.type('steps:\n')
    await page.keyboard.type('- name: step-1\ncommand: echo 1\n')
    for (let number = 2; number <= 5; number++) {
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.type(
        `- name: step-${number}\ncommand: echo ${number}\ndepends: step-${number - 1}\n`,
      )
    }
    const written = (number: number): string =>
      `- name: step-${number}\n  command: echo ${number}\n  depends: step-${number - 1}\n`
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.insertText(Array.from({ length: 25 }, (_, one) => written(one + 6)).join(''))
    await page.getByText('No problems').waitFor()
    await node(page, 'step-1').first().waitFor()
    await button(page, 'Save').click()
    await page.getByRole('heading', { level: 1, name: 'thirty' }).waitFor()
    const { body } = await api.get<{ dag: { steps: { name: string; depends: string[] }[] } }>('/dags/thirty')
    expect(body.dag.steps).toHaveLength(30)
    expect(body.dag.steps.at(-1)).toMatchObject({ name: 'step-30', depends: ['step-29'] })
    expect(await keptDrafts(page)).toBe(0)
  })

  test('problems appear while typing, start with their line, and are reached by key and by click', async () => {
    const page = await edit('faulty')
    await box(page).fill(
      diamond.replace('depends: fetch', 'depends: fetsch').replace('type: graph', 'tipe: graph'),
    )
    await problems(page).nth(2).waitFor()
    expect((await problems(page).allInnerTexts()).map((text) => /^line \d+: /.exec(text)?.[0])).toEqual([
      'line 1: ',
      'line 12: ',
      // Without its type the DAG is a chain, in which dependencies cannot be declared like this.
      'line 15: ',
    ])
    await page.keyboard.press('F8')
    await page.keyboard.type('X')
    await problems(page).getByText('"Xtipe"').waitFor()
    await page.keyboard.press('F8')
    await page.keyboard.type('Y')
    await problems(page).getByText('"Yfetsch"').click()
    await page.keyboard.press('Shift+End')
    await page.keyboard.type('fetch')
    await button(page, 'Save').click()
    await page.getByRole('alert').getByText('Not saved').waitFor()
    expect(await specOf('faulty')).toBe(diamond)
    expect(await faultsOf(page)).toEqual([])
  })

  test('the cursor and the node of its step follow each other', async () => {
    const page = await edit('nodes')
    await node(page, 'right').click()
    await page.keyboard.press('End')
    await page.keyboard.type('most')
    await node(page, 'rightmost').and(page.locator('[aria-current=true]')).waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('ArrowUp')
    await node(page, 'join').and(page.locator('[aria-current=true]')).waitFor()
  })

  test('the tabs show the plan, the field under the cursor, and the changes', async () => {
    const page = await edit('beside')
    await tab(page, 'Plan')
    const plan = page.getByRole('region', { name: 'Plan' })
    await plan.getByText('left, right').waitFor()
    expect(await plan.innerText()).toMatch(/TOKEN\s+\*{7} secret/)
    expect(await plan.innerText()).toMatch(/NAME\s+world default/)
    await node(page, 'join order 3').click()
    await plan.getByText('echo joined').waitFor()
    await tab(page, 'Field')
    await page.getByText('The name of the step.').waitFor()
    await tab(page, 'Changes')
    await page.getByText('Nothing has changed').waitFor()
    await box(page).fill(diamond.replace('joined', 'together'))
    await page.getByRole('textbox', { name: 'Changes' }).getByText('together').waitFor()
  })

  test('changes from two browsers are merged without loss', async () => {
    const mine = await edit('shared')
    const theirs = await opened(await open('/dags/shared/spec'))
    await box(theirs).fill(diamond.replace('"0 4', '"0 5').replace('joined', 'theirs'))
    await button(theirs, 'Save').click()
    await theirs.getByText('Saved', { exact: true }).first().waitFor()
    await box(mine).fill(diamond.replace('echo left', 'echo LEFT').replace('joined', 'mine'))
    await mine.keyboard.press('Control+s')
    const dialog = mine.getByRole('dialog', { name: 'Changed meanwhile' })
    await dialog.getByText('Both have changed the same lines once').waitFor()
    await dialog.getByRole('textbox', { name: 'Merged' }).waitFor()
    expect(await faultsOf(mine)).toEqual([])
    await button(mine, 'Before both').click()
    await dialog.getByRole('textbox', { name: 'Text beside: base' }).getByText('joined').waitFor()
    await button(mine, 'Save merged').click()
    await dialog.waitFor({ state: 'hidden' })
    const merged = diamond.replace('"0 4', '"0 5').replace('echo left', 'echo LEFT').replace('joined', 'mine')
    expect(await specOf('shared')).toBe(merged)
    await mine.getByText('Saved', { exact: true }).first().waitFor()

    await box(theirs).fill(diamond)
    await button(theirs, 'Save').click()
    await button(theirs, 'Take theirs').click()
    await theirs.getByText('Saved', { exact: true }).first().waitFor()
    expect((await box(theirs).innerText()).trim()).toBe(merged.trim())
  })

  test('a draft survives a reload and can be continued, compared or discarded', async () => {
    const page = await edit('drafted')
    await box(page).fill(diamond.replace('joined', 'drafted'))
    await heldBy(page, 1)
    await afterReload(page)
    const offer = page.getByRole('region', { name: 'Draft' })
    await offer.waitFor()
    await button(page, 'Compare').click()
    await page.getByRole('textbox', { name: 'Changes' }).getByText('drafted').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await button(page, 'Continue').click()
    await offer.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).first().waitFor()
    expect(await specOf('drafted')).toBe(diamond.replace('joined', 'drafted'))
    await heldBy(page, 0)

    await box(page).fill(diamond)
    await heldBy(page, 1)
    await afterReload(page)
    await button(page, 'Discard').click()
    await heldBy(page, 0)
    await afterReload(page)
    await page.getByText('No problems').waitFor()
    expect(await offer.count()).toBe(0)
  })

  test('a draft of a DAG that was saved in the meantime is merged on save', async () => {
    const page = await edit('late')
    await box(page).fill(diamond.replace('joined', 'late'))
    await heldBy(page, 1)
    await api.call('PUT', '/dags/late/spec', { body: { spec: diamond.replace('"0 4', '"0 5') } })
    await afterReload(page)
    await page.getByText('saved since').waitFor()
    await button(page, 'Continue').click()
    await button(page, 'Save').click()
    await button(page, 'Save merged').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    expect(await specOf('late')).toBe(diamond.replace('joined', 'late').replace('"0 4', '"0 5'))
  })

  test('the text survives an outage of the service and can be saved after it', async () => {
    const page = await edit('away')
    await page.context().setOffline(true)
    await box(page).fill(diamond.replace('joined', 'kept').replace('fetch $NAME', 'fetch $NOBODY'))
    await button(page, 'Save').click()
    await page.getByRole('alert').getByText('Not saved: the service cannot be reached').waitFor()
    await heldBy(page, 1)
    await page.context().setOffline(false)
    await problems(page).getByText('$NOBODY').waitFor()
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    expect(await specOf('away')).toContain('kept')
  })

  test('a save whose response was lost counts as saved', async () => {
    const page = await edit('lost')
    await page.route(
      '**/dags/lost/spec',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await box(page).fill(diamond.replace('joined', 'arrived'))
    await button(page, 'Save').click()
    await page.getByRole('alert').getByText('Not saved').waitFor()
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('a file of the DAG folder is read-only and says where to change it', async () => {
    await api.createDag('owned', diamond)
    await ownDag(api.database.db, 'nightly/owned.yaml')
    const page = await opened(await open('/dags/owned/spec'))
    await page.getByText('nightly/owned.yaml').waitFor()
    expect(await button(page, 'Save').getAttribute('aria-disabled')).toBe('true')
    await box(page).click()
    await page.keyboard.type('x')
    await page.keyboard.press('Control+s')
    expect((await box(page).innerText()).trim()).toBe(diamond.trim())
    expect(await specOf('owned')).toBe(diamond)
  })

  test('a text of 2,000 steps is checked within 10 seconds, and the graph follows the cursor', async () => {
    const steps = Array.from({ length: 2_000 }, (_, number) => {
      const depends = number === 0 ? '' : `step-${number - 1}`
      return `  - name: step-${number}\n    command: echo ${number}\n    depends: [${depends}]\n`
    })
    const page = await edit('large', `type: graph\nsteps:\n${steps.join('')}`)
    await box(page).click()
    await page.keyboard.press('Control+Home')
    const began = performance.now()
    await page.keyboard.type('x')
    await problems(page).getByText('line 1: ').waitFor()
    const tookMs = performance.now() - began
    expect(tookMs).toBeLessThan(10_000)
    await page.keyboard.press('Backspace')
    await page.getByText('No problems').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('ArrowUp')
    await node(page, 'step-1999').waitFor()
  })

  test('the keyboard enters and leaves the editor, and shortcuts do not act in it', async () => {
    const page = await edit('keys')
    await box(page).focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('# g d ? /')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('document.activeElement.className')).not.toContain('spec-editor')
    expect(new URL(page.url()).pathname).toBe('/dags/keys/spec')
    await page.getByRole('tab', { name: 'Graph' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('region', { name: 'Plan' }).waitFor()
  })

  test('the editor is loaded only when a text is opened, with at most 180 kB', async () => {
    await api.createDag('weighed', diamond)
    const page = await open('/dags')
    await page.getByRole('table', { name: 'DAGs' }).waitFor()
    await page.goto(new URL('/dags/weighed', page.url()).href)
    await page.getByRole('region', { name: 'Graph' }).waitFor()
    const loaded: Promise<number>[] = []
    const weigh = (response: Response): void => {
      if (response.url().endsWith('.js')) loaded.push(response.body().then((body) => gzipSync(body).length))
    }
    page.on('response', weigh)
    await page.getByRole('link', { name: 'Spec' }).click()
    await box(page).waitFor()
    page.off('response', weigh)
    const bytes = (await Promise.all(loaded)).reduce((sum, one) => sum + one, 0)
    expect(bytes).toBeGreaterThan(80_000)
    expect(bytes).toBeLessThan(180_000)
  })

  test.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)('has no accessibility violations in the %s theme at %i pixels', async (colorScheme, width) => {
    await api.createDag(`reached-${width}`, diamond)
    const page = await opened(
      await open(`/dags/reached-${width}/spec`, { colorScheme, viewport: { width, height: 800 } }),
    )
    await box(page).fill(diamond.replace('joined', 'changed $NOBODY'))
    await problems(page).first().waitFor()
    await tab(page, 'Plan')
    await page.getByRole('region', { name: 'Plan' }).waitFor()
    await node(page, 'join order 3').waitFor()
    // After scrolling to the tab, the head of the page may cover what is above it.
    await page.getByRole('tab', { name: 'Plan' }).evaluate('(tab) => tab.scrollIntoView({ block: "center" })')
    expect(await faultsOf(page)).toEqual([])
    await tab(page, 'Changes')
    await page.getByRole('textbox', { name: 'Changes' }).waitFor()
    await box(page).click()
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Find' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false)
  })
})
