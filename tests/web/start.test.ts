import { describe, expect, test } from 'vitest'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

const { api, open } = await webKit()

await api.createDag(
  'typed',
  `
params:
  - name: SIZE
    type: integer
    default: 3
    min: 1
    max: 9
    description: How many rows
  - {name: MODE, type: string, enum: [fast, slow], default: slow}
  - {name: SURE, type: boolean, default: false}
  - {name: CODE, type: string, pattern: "^[a-z]+$", required: true}
steps:
  - {name: first, command: echo, depends: []}
  - {name: then, command: echo, depends: [first]}
`,
)
const paramsOf = async (name: string): Promise<string[]> => {
  const { body } = await api.get<{ dagRuns: { params: string }[] }>(`/dag-runs?name=${name}`)
  return body.dagRuns.map(({ params }) => params)
}

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('the form follows the schema, shows errors at their fields, and starts by keyboard', async () => {
    const page = await open('/dags/typed')
    await page.getByRole('button', { name: 'Start' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start typed' })
    const size = dialog.getByRole('spinbutton', { name: 'SIZE' })
    const code = dialog.getByRole('textbox', { name: 'CODE' })
    await size.fill('12')
    await page.keyboard.press('Enter')
    await dialog.getByText('must be at most 9').waitFor()
    expect(await size.getAttribute('aria-invalid')).toBe('true')
    expect(await size.evaluate((field) => field.matches(':focus'))).toBe(true)
    const aboutOf = async (field: typeof size): Promise<string | null> =>
      page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`).textContent()
    expect(await aboutOf(size)).toBe('must be at most 9. How many rows · a whole number, 1 to 9')
    expect(await aboutOf(code)).toBe('is required. fits ^[a-z]+$ · required')
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.type('x')
    await size.fill('4')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.type('NO')
    await page.keyboard.press('Enter')
    // The service checks what the page cannot.
    await dialog.getByText(/must match/).waitFor()
    expect(await aboutOf(code)).toMatch(/^must match \^\[a-z\]\+\$, is "NO"/)
    await code.fill('yes')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'typed' }).waitFor()
    await page.getByRole('status', { name: 'State' }).waitFor()
    expect(await paramsOf('typed')).toEqual(['SIZE=4 MODE=fast SURE=true CODE=yes'])
  })

  test('Plan shows order, values and queue, and starts nothing', async () => {
    const before = await paramsOf('typed')
    const page = await open('/dags/typed')
    await page.getByRole('button', { name: 'Start' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start typed' })
    await dialog.getByRole('textbox', { name: 'CODE' }).fill('abc')
    await dialog.getByRole('button', { name: 'Plan' }).click()
    const plan = dialog.getByRole('region', { name: 'Plan' })
    await plan.getByText('Order').waitFor()
    expect(await plan.getByRole('listitem').allTextContents()).toEqual(['first', 'then'])
    expect(await plan.getByText('abc').count()).toBe(1)
    expect(await plan.textContent()).toContain('Queue typed')
    expect(await paramsOf('typed')).toEqual(before)
    await dialog.getByRole('textbox', { name: 'CODE' }).fill('abcd')
    await plan.waitFor({ state: 'detached' })
  })

  test('a run is enqueued with its own run id and queue', async () => {
    await api.createDag('plain')
    const page = await open('/dags/plain')
    await page.getByRole('button', { name: 'Start' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start plain' })
    await dialog.getByText('It has no params.').waitFor()
    await dialog.getByText('More').click()
    await dialog.getByRole('textbox', { name: 'Run id' }).fill('my-run')
    await dialog.getByRole('textbox', { name: 'Queue' }).fill('night')
    await dialog.getByRole('button', { name: 'Enqueue' }).click()
    await page.waitForURL('**/runs/plain/my-run')
    const { body } = await api.get<{ dagRun: { queue: string } }>('/dag-runs/plain/my-run')
    expect(body.dagRun.queue).toBe('night')
  })

  test('a DAG whose params and run ids are fixed says so', async () => {
    await api.createDag(
      'fixed',
      `
params: [A: 1]
runConfig: {disableParamEdit: true, disableRunIdEdit: true}
steps:
  - {name: a, command: b}
`,
    )
    const page = await open('/dags/fixed')
    await page.getByRole('button', { name: 'Start' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start fixed' })
    expect(await dialog.getByRole('textbox', { name: 'A' }).isDisabled()).toBe(true)
    await dialog.getByText('More').click()
    await dialog.getByRole('textbox', { name: 'Queue' }).waitFor()
    expect(await dialog.getByRole('textbox', { name: 'Run id' }).count()).toBe(0)
  })
})
