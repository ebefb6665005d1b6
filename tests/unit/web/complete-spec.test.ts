import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fieldUnder, offersAt } from '#web/model/complete-spec.ts'
import type { SpecSchema } from '#web/model/spec-schema.ts'
import { marked } from './marked.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

const schema = JSON.parse(
  readFileSync(new URL('../../../infra/dag-schema.json', import.meta.url), 'utf8'),
) as SpecSchema
const known = { schema, dags: ['nightly', 'weekly_load'] }

/**
 * A file that is not YAML at several lines. Each mark is a test: what is typed there, what must be offered, and after
 * a `!` what must not be.
 */
const broken = `«na: group !name steps handlerOn»
name: broken
«: group description queue !name type steps handlerOn container»
«que: queue !schedule»
type: «: chain graph !true»
type2: «g: »
overlapPolicy: «l: skip all latest»
catchup: «: none last all true false»
skipIfSuccessful: «t: true false !chain»
logOutput: "«s: separate merged»"
schedule:
  «st: stop restart !start»
  start: "0 4 * * *
mailOn:
  failure: «f: true false»
  «: success !failure failed command»
env:
  - A: [1, 2
  - «: !command name»
container:
  image: alpine
  pullPolicy: «: always never missing»
  «: volumes user !image pullPolicy steps»
handlerOn:
  «s: init !success exit cancel»
  exit:
    «: script !depth handlerOn command»
    command: echo 'unclosed
  failure: {«com: command script name !handlerOn»
  cancel:
    type: ssh
    config:
      «ho: host user !image»
  success: {command: "x, y", «mail: mailOnError timeoutSec !command»
secrets:
  - name: TOKEN
    provider: «: env file»
    «: key !name provider command»
  - «p: name provider key»
# «comment: »
steps:
  - «na: name command depends type !steps handlerOn»
  - name: fetch
    «com: command output !name depth script»
    script: |
      steps:
        - na«: »
      if [ x ]; then
       «: »
    continueOn:
      failure: «: true false»
      «: skipped exitCode output markSuccess !failure command»
    retryPolicy:
      «lim: limit intervalSec exitCode !backoff repeat command»
      backoff: «t: true»
  - name: 'load all' # a comment
    depends: «: fetch report "42" "load: x" mapped !load»
    command echo
    type: «h: shell docker ssh http mail jq»
  - {name: report, depends: [«fe: fetch», «: fetch !report»], «co: command script !name depends»
  - name: "42"
    depends:
      - «: fetch report !"42"»
      - fetch
      - «re: report !"42"»
    «: command !depends name»
    signalOnStop: «SIG: SIGTERM SIGKILL»
    repeatPolicy: {repeat: «: while until true»
  -   name: 'load: x'
      preconditions:
        - condition: test -f x
          «: expected !condition command»
        - «con: condition expected»
      executor:
        «: config !type»
        type: «d: docker»
      logOutput: «: merged»
      «time: timeoutSec !name»
  -
    «: script command !name»
    name: mapped
  - - name: inner
      «: command !depends name»
      depends: [fetch, «: report !inner»
    - «na: command !handlerOn»
  - executor:
      type: docker
      config:
        «im: image pull autoRemove !silent command»
        host: {«: binds networkMode !image»
  - name: ask
    config:
      «: headers query silent !image timeout to»
      timeout: 3
      json: «: true false»
    type: http
  - config: {«: raw !image silent»}
    type: jq
  - type: shell
    config:
      «: !image silent raw»
  - {type: mail, config: {«to: to subject !image»
  - call: «: helper nightly weekly_load !fetch»
    «par: params !call parallel»
    parallel:
      «max: items maxConcurrent !command»
---
«: params group !name steps command»
name: helper
steps:
- «com: command name !steps»
- name: flat
  «: command !name steps»
  depends: «: other !fetch flat»
- name: other
  containr:
    «: !image command»
  container:
    «im: image !depends»
«han: handlerOn !steps name»
`

const cases = marked(broken)

test('the file has more than fifty marks', () => expect(cases.length).toBeGreaterThan(50))

test.each(cases)('offers the right fields at $title', ({ text, offset, typed, offered, refused }) => {
  const found = offersAt(text, offset, known)
  const labels =
    found?.offers.map(({ insert, kind, label }) => (kind === 'step' || kind === 'dag' ? insert : label)) ?? []
  if (offered.length === 0 && refused.length === 0) return expect(labels).toEqual([])
  expect({
    missing: offered.filter((label) => !labels.includes(label)),
    tooMany: refused.filter((label) => labels.includes(label)),
  }).toEqual({ missing: [], tooMany: [] })
  if (found !== undefined) expect(text.slice(found.from, offset)).toBe(typed)
})

test('the key of a list or map is inserted with a new line, other keys with a colon', () => {
  const insertOf = (text: string, label: string): string | undefined =>
    offersAt(text, text.length, known)?.offers.find((offer) => offer.label === label)?.insert
  expect(insertOf('', 'name')).toBe('name: ')
  expect(insertOf('', 'handlerOn')).toBe('handlerOn:\n  ')
  expect(insertOf('steps:\n  - ', 'retryPolicy')).toBe('retryPolicy:\n      ')
  expect(offersAt('na: x', 1, known)?.offers[0]?.insert).toBe('name')
})

test.each([
  ['type: gr|aph', 'type'],
  ['na|me: x', 'name'],
  ['steps:\n  - name: a\n    dep|ends: [b]', 'depends'],
  ['steps:\n  - name: a\n    depends:\n      - b|', 'depends'],
  ['steps:\n  - retryPolicy: {li|mit: 2', 'limit'],
  ['steps:\n  - retryPolicy:\n      intervalSec: 5|', 'intervalSec'],
  ['steps:\n  - script: |-\n      echo |', undefined],
  ['env:\n  - MINE: |', 'env'],
  ['steps:\n  - type: docker\n    config:\n      pu|ll: missing', 'pull'],
  ['steps:\n  - type: docker\n    config:\n      exec:\n        user: |', 'user'],
  ['nonsense: |', undefined],
])('the field under the cursor is found: %j', (placed, name) => {
  const offset = placed.lastIndexOf('|')
  const text = placed.slice(0, offset) + placed.slice(offset + 1)
  expect(fieldUnder(text, offset, schema)?.name).toBe(name)
})

test('a text of 2,000 steps is read within half a second', () => {
  const step = (number: number): string => `  - name: step-${number}\n    depends: [step-${number - 1}]\n`
  const text = `steps:\n${Array.from({ length: 2_000 }, (_, number) => step(number)).join('')}  - depends: `
  const spent = cpuTime()
  expect(offersAt(text, text.length, known)?.offers.length).toBe(2_000)
  expect(spent()).toBeLessThan(500)
})
