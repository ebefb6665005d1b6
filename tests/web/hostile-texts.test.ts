import { describe, expect, test } from 'vitest'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const { api, open } = await webKit()

const markup = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
const word = 'w'.repeat(10_000)
const rightToLeft = '\u202e\u05d0\u05d1 <b>bold</b> javascript:alert(1)'
const escapes = `\u001b[31m${markup}\u001b[0m\u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007`

await api.createDag(
  'hostile',
  `description: ${JSON.stringify(markup)}
tags: [${JSON.stringify('<i>tag</i>')}]
params:
  - TEXT: ${JSON.stringify(markup)}
  - WORD: ${word}
steps:
  - name: ${JSON.stringify('<b>step</b> & "quoted"')}
    command: work
  - name: ${JSON.stringify(rightToLeft.slice(1, 20))}
    command: work
`,
)
const step = '<b>step</b> & "quoted"'
const run = await api.start('hostile', { params: { TEXT: markup, WORD: word } })
await api.claim()
await api.writeLog(run, step, 'stdout', `${markup}\n${escapes}\n${rightToLeft}\n${word}\n`)
await api.writeLog(run, step, 'stderr', `${markup}\n`)
await api.finish(run, 'failed', { [step]: 'failed' }, { [step]: { [markup]: `${markup}${word}` } })

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 60_000 }, () => {
  const pages: readonly [string, string, string][] = [
    ['the list of DAGs', '/', markup],
    ['a DAG', '/dags/hostile', markup],
    ['the text of a DAG', '/dags/hostile?view=spec', '<i>tag</i>'],
    ['a run', `/runs/hostile/${run}`, markup],
    ['the graph of a run', `/runs/hostile/${run}?view=graph`, step],
    ['the steps of a run', `/runs/hostile/${run}?view=steps`, step],
    ['the log of a run', `/runs/hostile/${run}/log?step=${encodeURIComponent(step)}`, markup],
    ['the details of a step', `/runs/hostile/${run}?view=steps&step=${encodeURIComponent(step)}`, markup],
    ['the logs of all steps', `/runs/hostile/${run}/log?step=`, markup],
    ['a filter', `/runs?q=${encodeURIComponent(markup)}`, 'No run matches the filter'],
    ['a URL', `/dags/${encodeURIComponent('<b>x</b>').replaceAll('%2F', '-')}`, '<b>x<-b>'],
  ]

  test.each(pages)('%s shows hostile texts as plain text', async (_name, path, text) => {
    const page = await open(path)
    await page.getByText(text.slice(0, 60)).first().waitFor()
    expect(
      await page.evaluate('document.querySelectorAll("main img, main script, main i, main b img").length'),
    ).toBe(0)
    expect(await page.title()).not.toBe('owned')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await page.evaluate('[...document.links].filter((a) => !/^http:/.test(a.href)).length')).toBe(0)
  })

  test('the start dialog shows hostile defaults as plain text', async () => {
    const page = await open('/dags/hostile')
    await page.getByRole('button', { name: 'Start' }).click()
    expect(await page.getByRole('textbox', { name: 'TEXT' }).inputValue()).toBe(markup)
    await page.getByRole('button', { name: 'Plan' }).click()
    await page.getByRole('region', { name: 'Plan' }).getByText(markup).first().waitFor()
    expect(await page.evaluate('document.querySelectorAll("dialog img, dialog script").length')).toBe(0)
    expect(await page.title()).not.toBe('owned')
  })
})
