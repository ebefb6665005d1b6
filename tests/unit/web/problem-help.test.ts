import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { doctorHelp, pageHelp, whyHelp } from '#lib/core/help-pages.ts'
import { formatSchema } from '#lib/api/documents/dag-json-schema.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import { pageName } from '#local/docs/page-list.ts'
import { readDocs } from '#local/docs/read-docs.ts'
import { problemHelp } from '#web/model/problem-help.ts'

const { pages } = readDocs(resolve(import.meta.dirname, '../../..'))
const anchors = new Map([...pages].map(([source, page]) => [`${pageName(source)}.html`, page.anchors]))

/** Whether the docs have this page, and this section of it. */
function isThere(address: string): boolean {
  const [page = '', anchor] = address.split('#')
  return anchors.has(page) && (anchor === undefined || anchors.get(page)?.has(anchor) === true)
}

test.each([
  ['why a run waits', Object.values(whyHelp)],
  ['the doctor', Object.values(doctorHelp)],
  ['the page', Object.values(pageHelp)],
])('every page and section to which %s links exists', (_, addresses) => {
  expect(addresses.filter((address) => !isThere(address))).toEqual([])
})

/** Fields of the format at its top and of a step. */
function fieldsOf(section: 'dag' | 'step'): string[] {
  const schema = formatSchema() as {
    properties: Record<string, unknown>
    $defs: Record<string, { what?: string; properties?: Record<string, unknown> }>
  }
  const step = Object.values(schema.$defs).find(({ what }) => what === 'a step')
  return Object.keys((section === 'dag' ? schema.properties : step?.properties) ?? {})
}

test('a problem of any field links to its row in the reference', () => {
  const top = fieldsOf('dag').map((field) => problemHelp(`${field} must be a text, is 3`))
  const step = fieldsOf('step').map((field) => problemHelp(`step "a \\" b": ${field}.x must be a text, is 3`))
  expect([...top, ...step].length).toBeGreaterThan(60)
  expect([...top, ...step].filter((address) => address === undefined || !isThere(address))).toEqual([])
})

const spec = `
schedule: "99 * * * *"
foo: 1
queue: other
steps:
  - name: a
    command: echo $NOPE
    retryPolicy: {limit: -1}
    bogus: 1
  - name: b
    executor: {type: http, config: {bla: 1}}
`

test('the problems of a file link to their explanation', () => {
  const { problems, warnings } = readSpec(spec, { fileName: 'a' })
  const found = [...problems, ...warnings].map(({ message }) => problemHelp(message))
  expect(found).toEqual(
    expect.arrayContaining([
      'dag-file.html#dag-schedule',
      'dag-file.html#dag',
      'dag-file.html#step-retrypolicy',
      'dag-file.html#step',
      'values.html#sources',
      'executors.html#http',
    ]),
  )
  expect(found.filter((address) => address !== undefined && !isThere(address))).toEqual([])
})

test('a YAML syntax error has no page', () => {
  expect(problemHelp('not YAML: Missing closing "quote')).toBeUndefined()
})

test('a queue that no setting defines links to the field that names it', () => {
  expect(problemHelp('no setting defines the queue "nightly": it has the limit of this DAG')).toBe(
    'dag-file.html#dag-queue',
  )
})
