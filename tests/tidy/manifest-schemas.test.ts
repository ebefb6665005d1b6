import { describe, expect, test } from 'vitest'
import { documentsOf, schemaFaults } from './manifest-schemas.ts'
import { projectFile, projectTree } from './tree.ts'

const paths = [
  ...[...projectTree().keys()].filter((path) => /^infra\/(?!helm\/).*\.yaml$/.test(path)),
  'infra/grafana/dashboard.json',
]

test.each(paths)('%s fits the schema of its platform', (path) => {
  const faults = documentsOf(projectFile(path)).flatMap((document) => schemaFaults(path, document))
  expect(faults).toEqual([])
})

test('a kind without a schema is a fault', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }
  expect(schemaFaults('infra/k8s/secret.yaml', secret)).toEqual([
    'no schema of infra/k8s/secret.yaml: v1 Secret',
  ])
  expect(schemaFaults('infra/other.yaml', {})).toEqual([expect.stringContaining('no schema')])
})

/** What the platforms accept as any JSON, by its path in a document. */
const anything = /PolicyDocument|\.x-millrace|dashboard.json.*\.(options|targets|custom)\b/

/** Maps whose keys are names that the author chooses. */
const ownKeys = new RegExp(
  [
    '\\.(labels|annotations|matchLabels|pairs|limits|requests|Variables|Options|environment|depends_on)$',
    '\\.(Parameters|Resources|Outputs|Events)$',
    '^infra/compose(\\.try)?.yaml(\\.services|\\.volumes)?$',
    '^infra/k8s/api.yaml.spec.selector$',
    '\\.triggers\\.\\d+\\.metadata$',
  ].join('|'),
)

interface Field {
  readonly trail: string
  readonly parent: Record<string, unknown>
  readonly key: string
}

function* fieldsOf(node: unknown, trail: string): Generator<Field> {
  for (const [key, value] of Object.entries(Object(node) as Record<string, unknown>)) {
    if (!Array.isArray(node)) yield { trail, parent: node as Field['parent'], key }
    if (typeof value === 'object') yield* fieldsOf(value, `${trail}.${key}`)
  }
}

/** Spoils each field of a manifest, one at a time, and returns those whose fault went unnoticed. */
function unnoticed(path: string, spoil: (field: Field) => void): Field[] {
  return documentsOf(projectFile(path)).flatMap((document) =>
    [...fieldsOf(document, path)].filter((field) => {
      const before = { ...field.parent }
      spoil(field)
      const faults = schemaFaults(path, document)
      delete field.parent[`${field.key}Typo`]
      Object.assign(field.parent, before)
      return faults.length === 0 && !anything.test(`${field.trail}.${field.key}`)
    }),
  )
}

describe.each(paths)('in %s', (path) => {
  test('a misspelled field is found, except where authors choose the names', () => {
    const missed = unnoticed(path, ({ parent, key }) => {
      parent[`${key}Typo`] = parent[key]
      delete parent[key]
    })
    expect(missed.filter(({ trail }) => !ownKeys.test(trail))).toEqual([])
  })

  test('a value of a wrong type is found', () => {
    const missed = unnoticed(path, ({ parent, key }) => {
      parent[key] = typeof (parent[key] ?? '') === 'object' ? true : [{}]
    })
    expect(missed).toEqual([])
  })
})
