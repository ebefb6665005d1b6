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

/** What the platforms take as any JSON, by its place in a document. */
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

interface Place {
  readonly trail: string
  readonly parent: Record<string, unknown>
  readonly key: string
}

function* placesOf(node: unknown, trail: string): Generator<Place> {
  for (const [key, value] of Object.entries(Object(node) as Record<string, unknown>)) {
    if (!Array.isArray(node)) yield { trail, parent: node as Place['parent'], key }
    if (typeof value === 'object') yield* placesOf(value, `${trail}.${key}`)
  }
}

/** Spoils each field of a manifest, one at a time, and answers those where nobody noticed. */
function unnoticed(path: string, spoil: (place: Place) => void): Place[] {
  return documentsOf(projectFile(path)).flatMap((document) =>
    [...placesOf(document, path)].filter((place) => {
      const before = { ...place.parent }
      spoil(place)
      const faults = schemaFaults(path, document)
      delete place.parent[`${place.key}Typo`]
      Object.assign(place.parent, before)
      return faults.length === 0 && !anything.test(`${place.trail}.${place.key}`)
    }),
  )
}

describe.each(paths)('in %s', (path) => {
  test('a field of another name is found, wherever names are not the author’s', () => {
    const missed = unnoticed(path, ({ parent, key }) => {
      parent[`${key}Typo`] = parent[key]
      delete parent[key]
    })
    expect(missed.filter(({ trail }) => !ownKeys.test(trail))).toEqual([])
  })

  test('a value of another type is found', () => {
    const missed = unnoticed(path, ({ parent, key }) => {
      parent[key] = typeof (parent[key] ?? '') === 'object' ? true : [{}]
    })
    expect(missed).toEqual([])
  })
})
