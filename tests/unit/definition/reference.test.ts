import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { formatSchema } from '#lib/api/documents/dag-json-schema.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import { descriptions } from '#lib/definition/schema/descriptions.ts'
import { defaults, examples } from '#lib/definition/schema/examples.ts'
import { dagReference } from '../../../infra/dag-reference.ts'

type Map = Readonly<Record<string, unknown>>

const echo = { name: 'a', command: 'echo a' }
const withStep = (step: Map): Map => ({ steps: [step] })
const withField = (field: string) => (map: Map) => withStep({ ...echo, [field]: map })

/** A file that holds a map of each kind. */
const files: Readonly<Record<string, (map: Map) => Map>> = {
  'a DAG': (map) => ({ steps: [echo], ...map }),
  'a schedule': (map) => ({ schedule: map, steps: [echo] }),
  'a secret': (map) => ({ secrets: [map], steps: [echo] }),
  'a step': (map) => {
    const hasWork = ['command', 'script', 'call', 'executor', 'type'].some((field) => field in map)
    return withStep({ name: 'a', ...(!hasWork && { command: 'echo a' }), ...map })
  },
  'an executor': (map) => ({
    smtp: { host: 'mail.example.com' },
    steps: [
      map['type'] === 'mail'
        ? { name: 'a', executor: { ...map, config: { to: 'ops@example.com' } } }
        : { name: 'a', command: 'GET http://127.0.0.1/', executor: map },
    ],
  }),
  parallel: (map) => withStep({ name: 'a', call: 'resize-image', parallel: { items: ['cat.png'], ...map } }),
  'a container': (map) => ({ container: map, steps: [echo] }),
  'an output': withField('output'),
  continueOn: withField('continueOn'),
  'a retry policy': (map) => withField('retryPolicy')({ limit: 1, intervalSec: 1, ...map }),
  'a repeat policy': (map) =>
    withField('repeatPolicy')(
      Object.keys(map).some((key) => key !== 'maxIntervalSec') ? map : { repeat: true, ...map },
    ),
  'a condition': (map) => withField('preconditions')({ condition: 'test -d /', ...map }),
  handlerOn: (map) => ({ handlerOn: map, steps: [echo] }),
  smtp: (map) => ({ smtp: { host: 'mail.example.com', ...map }, steps: [echo] }),
  mailOn: (map) => ({ mailOn: map, steps: [echo] }),
  'a mail': (map) => ({ errorMail: map, steps: [echo] }),
  'a registry': (map) => ({ registryAuths: { 'registry.example.com': map }, steps: [echo] }),
  ssh: (map) => ({ ssh: { host: 'web1.example.com', ...map }, steps: [echo] }),
  runConfig: (map) => ({ runConfig: map, steps: [echo] }),
}

function read(kind: string, map: Map) {
  const file = files[kind] ?? expect.fail(`no file for ${kind}`)
  return readSpec(stringify(file(map)), { fileName: 'file' })
}

describe('the reference', () => {
  const fields = Object.entries(examples).flatMap(([kind, of]) =>
    Object.entries(of).map(([field, example]) => ({ kind, field, example })),
  )

  it('names the fields that the parser knows, each with a description and an example', () => {
    const known = (of: Readonly<Record<string, object>>) =>
      Object.entries(of).map(([kind, inner]) => [kind, Object.keys(inner)])
    expect(known(examples)).toEqual(known(descriptions))
    expect(dagReference(formatSchema())).toContain('| `catchupWindow`')
  })

  it('is the text of docs/dag-file.md', () => {
    const bare = (text: string) => text.replaceAll(/[ -]+/g, ' ')
    expect(bare(readFileSync('docs/dag-file.md', 'utf8'))).toBe(bare(dagReference(formatSchema())))
  })

  it.each(fields)('has an example of $field of $kind that is accepted', ({ kind, field, example }) => {
    const [value, others = ''] = typeof example === 'string' ? [example] : example
    const { problems } = read(kind, { ...(parse(others) as Map | null), [field]: parse(value) as unknown })
    expect(problems).toEqual([])
  })

  const fallbacks = Object.entries(defaults).flatMap(([kind, of]) =>
    Object.entries(of).map(([field, value]) => ({ kind, field, value })),
  )

  it.each(fallbacks)('names the default of $field of $kind', ({ kind, field, value }) => {
    const example = examples[kind]?.[field]
    const others = typeof example === 'object' ? (parse(example[1]) as Map) : {}
    const explicit = read(kind, { ...others, [field]: value })
    expect(explicit.problems).toEqual([])
    const implicit = read(kind, others)
    expect(explicit.dag).toEqual(implicit.dag)
  })
})
