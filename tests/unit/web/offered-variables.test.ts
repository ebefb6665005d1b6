import { expect, test } from 'vitest'
import { variablesAt } from '#web/model/offered-variables.ts'
import { marked } from './marked.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

/** A file that is not YAML at several lines, with positions at which a reference is typed. See `marked`. */
const broken = `name: $«: »
description: costs $«: »
env:
  - BASE: /srv
  - CACHE: \${«: BASE !CACHE DATE fetch.stdout DAG_RUN_ID»}/cache
  - "MODE=$«M: BASE CACHE !MODE»
workingDir: \${«: BASE DATE TOKEN DAG_NAME !DAG_RUN_STEP_NAME»
params:
  - DATE: \${«: BASE CACHE MODE !DATE TOKEN»
  - NEXT: $«: DATE BASE !NEXT LATER DAG_NAME»
  - LATER
  - name: SIZE
    type: integer
    default: 3
  - {name: KIND, enum: [a, b]}
secrets:
  - name: TOKEN
    provider: env
    key: $«: »
  - {name: OTHER, provider: file, key: x}
# what is $«: »
schedule: "0 4 * * *"   # not \${«: »
steps:
  - name: fetch $«: »
    id: fetch
    command: echo \${«D: DATE DAG_NAME BASE TOKEN OTHER SIZE KIND ITEM2.stdout build.exit_code !name type» # $«: »
    stdout: \${«: DATE DAG_RUN_STEP_NAME !enum fetch.stdout FETCHED ITEM DAG_RUN_STATUS OWN»
    output: FETCHED
  - name: build
    id: build
    env:
      - OWN: $«: DATE FETCHED fetch.stderr OWN !BUILT build.stdout»
    output:
      name: BUILT
    script: |
      # in a text, it is no comment: $«: DATE OWN FETCHED»
      for f in *; do
        echo "\${«fe: fetch.stdout fetch.exit_code !build.stdout»}"
        echo \\$«: »
        echo \\\\$«: DATE»
        echo $$«: »
      done
  - {name: flow, id: ITEM2, output: FLOWN, command: "echo \${«: DATE FETCHED BUILT !FLOWN OWN»
  - call: kid
    params: "A=$«: ITEM FLOWN DATE !OWN»
    parallel: \${«: FETCHED ITEM»
  - run: ./\${«: DATE»
  - command echo
    depends: $«: »
    preconditions:
      - condition: "$«: DATE FLOWN»"
        expected: $«: DATE»
    type: $«: »
handlerOn:
  failure:
    command: notify $«: DAG_RUN_STATUS FETCHED fetch.stdout DAG_RUN_ID !ITEM OWN»
mailOn:
  failure: \${«: DATE»
---
name: kid
params: A=1 B="$«: !DATE»"
steps:
  - command: echo $«: A B DAG_NAME !DATE FETCHED BASE»
`

const cases = marked(broken)

test('the file has more than thirty marks', () => expect(cases.length).toBeGreaterThan(30))

test.each(cases)('offers the right variables at $title', ({ text, offset, typed, offered, refused }) => {
  const found = variablesAt(text, offset)
  const labels = found?.offers.map(({ label }) => label) ?? []
  if (offered.length === 0 && refused.length === 0) return expect(labels).toEqual([])
  expect({
    missing: offered.filter((label) => !labels.includes(label)),
    tooMany: refused.filter((label) => labels.includes(label)),
  }).toEqual({ missing: [], tooMany: [] })
  expect(text.slice(found?.from, offset)).toBe(typed)
})

const file =
  'env: {A-B: 1, C: 2}\nparams:\n  schema:\n    properties:\n      DEEP: {type: string}\nsteps:\n  - '
test.each([
  ['command: $', 'C', 'C'],
  ['command: $', 'A-B', '{A-B}'],
  ['command: $', 'DEEP', 'DEEP'],
  ['command: ${', 'C', 'C}'],
  ['command: ${|}', 'C', 'C'],
  ['command: ${D|EEP}', 'DEEP', 'DEEP'],
])('%s completes %s as %s', (line, label, insert) => {
  const text = file + line
  const at = text.includes('|') ? text.indexOf('|') : text.length
  const offers = variablesAt(text.replace('|', ''), at)?.offers ?? []
  expect(offers.find((offer) => offer.label === label)?.insert).toBe(insert)
})

test('a text of 2,000 steps is read within half a second', () => {
  const step = (number: number): string => `  - id: s${number}\n    command: echo\n    output: O${number}\n`
  const text = `steps:\n${Array.from({ length: 2_000 }, (_, number) => step(number)).join('')}  - command: $`
  const spent = cpuTime()
  expect(variablesAt(text, text.length)?.offers.length).toBeGreaterThan(8_000)
  expect(spent()).toBeLessThan(500)
})
