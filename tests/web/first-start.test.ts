import { describe, expect, test } from 'vitest'
import { browserPath } from './browser.ts'
import { faultsOf, webKit } from './kit.ts'

const { api, open } = await webKit()
const stored = async () => {
  const { body } = await api.get<{ dags: { fileName: string; suspended: boolean; errors: string[] }[] }>(
    '/dags',
  )
  return body.dags
}

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  test('an empty service offers examples that are created and started with one click', async () => {
    const page = await open('/')
    await page.getByText('There is no DAG yet').waitFor()
    const buttons = page.getByRole('button', { name: /^Run example-/ })
    expect(await buttons.count()).toBe(3)
    expect(await faultsOf(page)).toEqual([])
    const names = (await buttons.allInnerTexts()).map((text) => text.replace('Run ', ''))
    for (const name of names) {
      await page.getByRole('button', { name: `Run ${name}` }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      expect(await page.getByRole('status', { name: 'State' }).textContent()).toContain('waiting')
      expect((await stored()).find(({ fileName }) => fileName === name)?.errors).toEqual([])
      await api.call('DELETE', `/dags/${name}`)
      await page.getByRole('link', { name: 'Millrace' }).click()
      await page.getByText('There is no DAG yet').waitFor()
    }
  })

  test('a new DAG shows problems while typing, and its page when saved', async () => {
    const page = await open('/dags')
    await page.getByRole('button', { name: 'New DAG' }).click()
    await page.getByRole('heading', { level: 1, name: 'New DAG' }).waitFor()
    await page.getByText('No problems').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('mine')
    const spec = page.getByRole('textbox', { name: 'Spec' })
    await spec.fill('steps:\n  - name: a\n    comand: echo 1\n')
    await page
      .getByRole('list', { name: 'Problems' })
      .getByText(/^line 3: .*comand/)
      .first()
      .waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Not saved').waitFor()
    await spec.fill('steps:\n  - name: a\n    command: echo 1\n')
    await page.getByText('No problems').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'mine' }).waitFor()
    expect((await stored()).map(({ fileName }) => fileName)).toContain('mine')
  })

  test('files are imported as DAGs, except for two with the same name', async () => {
    const page = await open('/import')
    const file = (name: string, text = 'steps:\n  - command: echo 1\n') => ({
      name,
      mimeType: 'text/yaml',
      buffer: Buffer.from(text),
    })
    await page
      .getByLabel('YAML files')
      .setInputFiles([file('one.yaml'), file('two.yml'), file('two.yaml'), file('three.yaml', 'steps: 4\n')])
    const rows = page.getByRole('table', { name: 'Found' }).getByRole('row')
    await rows.filter({ hasText: 'have the same name' }).first().waitFor()
    await page.getByRole('button', { name: 'Import 2 DAGs' }).click()
    await rows.filter({ hasText: 'created' }).getByRole('link', { name: 'one' }).waitFor()
    // Files are imported in order: this one is refused after the first was created.
    await rows.filter({ hasText: 'three' }).getByText(/steps/).waitFor()
    expect(await faultsOf(page)).toEqual([])
    const names = (await stored()).map(({ fileName }) => fileName)
    expect(names).toContain('one')
    expect(names).not.toContain('two')
  })

  test('each entry of a crontab is imported as a suspended DAG', async () => {
    const page = await open('/import')
    await page
      .getByRole('textbox', { name: 'Crontab' })
      .fill('MAILTO=""\n30 6 * * 1-5 /usr/bin/backup --all\n@reboot /usr/bin/warm\n')
    const rows = page.getByRole('table', { name: 'Found' }).getByRole('row')
    await rows.filter({ hasText: 'cron-backup' }).getByText('30 6 * * 1-5').waitFor()
    await rows.filter({ hasText: '@reboot has no counterpart' }).waitFor()
    await page.getByRole('button', { name: 'Import 1 DAG', exact: true }).click()
    await rows.filter({ hasText: 'created' }).waitFor()
    const made = (await stored()).find(({ fileName }) => fileName === 'cron-backup')
    expect(made).toMatchObject({ suspended: true, errors: [] })
    const { body } = await api.get<{ spec: string }>('/dags/cron-backup/spec')
    expect(body.spec).toContain('/usr/bin/backup --all')
  })
})
