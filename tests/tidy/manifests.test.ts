import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings } from '#lib/config/settings/all.ts'
import {
  nodesOf,
  portFaults,
  referenceFaults,
  readManifest,
  selectorFaults,
  serviceLinkFaults,
  workloadFaults,
  workloadsOf,
} from './manifest-rules.ts'
import { projectFile, projectTree } from './tree.ts'

const top = new URL('../..', import.meta.url).pathname
const startScript = projectFile('infra/start.sh')
const manifests = [...projectTree()]
  .filter(([path]) => /^infra\/(?!helm\/).*\.yaml$/.test(path))
  .map(([path, yaml]) => ({ path, documents: readManifest(yaml) }))

describe('the manifests', () => {
  test('start parts of the image with valid settings and without secrets in plain text', () => {
    const workloads = manifests.flatMap(({ path, documents }) =>
      documents.flatMap(workloadsOf).map((workload) => ({ path, ...workload })),
    )
    expect(workloads.length).toBeGreaterThan(11)
    const faults = workloads.flatMap((workload) =>
      workloadFaults(workload, startScript).map((fault) => `${workload.path}: ${fault}`),
    )
    expect(faults).toEqual([])
  })

  test('name the port of the API', () => {
    expect(manifests.flatMap(({ documents }) => documents.flatMap(portFaults))).toEqual([])
    const port = settings.MILLRACE_PORT.default
    expect(projectFile('infra/Containerfile')).toContain(`\nEXPOSE ${port}\n`)
    expect(projectFile('infra/compose.yaml')).toContain(`:${port}']`)
  })

  test('of Kubernetes select existing pods, and list every file', () => {
    const kubernetes = manifests.filter(({ path }) => path.startsWith('infra/k8s/'))
    expect(selectorFaults(kubernetes.flatMap(({ documents }) => documents))).toEqual([])
    expect(kubernetes.flatMap(({ documents }) => documents.flatMap(serviceLinkFaults))).toEqual([])
    const [kustomization] = readManifest(projectFile('infra/k8s/kustomization.yaml'))
    const listed = kustomization?.['resources'] as string[]
    const apart = ['kustomization.yaml', 'migrate.yaml']
    const files = kubernetes
      .map(({ path }) => path.slice('infra/k8s/'.length))
      .filter((path) => !path.includes('/'))
    expect([...listed, ...apart].sort()).toEqual(files.sort())
  })

  test('of AWS refer only to what they define', () => {
    const [template = {}] = readManifest(projectFile('infra/aws/template.yaml'))
    expect(referenceFaults(template)).toEqual([])
  })

  test('of AWS name existing bundles, handlers and settings', () => {
    const [template] = readManifest(projectFile('infra/aws/template.yaml'))
    const functions = [...nodesOf(template)].filter((node) => typeof node['Handler'] === 'string')
    expect(functions).toHaveLength(2)
    for (const { CodeUri, Handler } of functions) {
      const part = String(CodeUri).replace('../../dist/', '')
      const [file, handler] = String(Handler).split('.')
      expect(projectFile('infra/build.ts')).toContain(`'${part}': 'functions/`)
      const source = projectFile(`functions/${part.replace('lambda-', '')}/lambda.ts`)
      expect([file, source]).toEqual([
        'index',
        expect.stringMatching(new RegExp(`export .*\\b${handler}\\b`)),
      ])
    }
    const variables = [...nodesOf(template)].flatMap((node) =>
      Object.keys(Object(node['Variables']) as object),
    )
    expect(variables.length).toBeGreaterThan(3)
    expect(variables.filter((name) => !Object.hasOwn(settings, name))).toEqual([])
  })
})

test('every file that infra/README.md names exists', () => {
  const page = projectFile('infra/README.md')
  const named = [...page.matchAll(/\binfra\/[\w./-]*\w/g)].map(([path]) => path)
  expect(named.length).toBeGreaterThan(8)
  // A command of the page creates it.
  const made = 'infra/.env'
  expect(named.filter((path) => path !== made && !existsSync(join(top, path)))).toEqual([])
})

describe('planted faults are found', () => {
  const sound = {
    args: ['api'],
    env: { DATABASE_URL: undefined, MILLRACE_AUTH_TOKEN: undefined },
    endsAfterS: 9,
  }

  test.each([
    ['a part that the image lacks', { args: ['apis'] }, 'no part "apis"'],
    ['an unknown option', { args: ['api', '--watch'] }, 'no option --watch'],
    ['a setting that does not exist', { env: { ...sound.env, MILLRACE_SLOTS: '4' } }, 'not a setting'],
    ['an invalid value', { env: { ...sound.env, MILLRACE_LEASE_S: 'long' } }, 'whole number'],
    [
      'a secret in plain text',
      { env: { ...sound.env, MILLRACE_TICK_TOKEN: 'sixteen-characters' } },
      'plain text',
    ],
    ['no credential', { env: { DATABASE_URL: undefined } }, 'anybody may use the API'],
    ['no database', { env: { MILLRACE_AUTH_TOKEN: undefined } }, 'DATABASE_URL is missing'],
    ['an end within the grace period', { args: ['runner'] }, 'ends after 9 s, but needs 10'],
  ])('%s', (_what, change, expected) => {
    expect(workloadFaults(sound, startScript)).toEqual([])
    expect(workloadFaults({ ...sound, ...change }, startScript).join()).toContain(expected)
  })

  test('a wrong port, service link, selector and reference', () => {
    const template = 'Parameters: {A: {}}\nResources: {B: {x: !Ref A, y: !GetAtt C.Arn, z: !Sub "${D}-${B}"}}'
    expect(readManifest(template).flatMap(referenceFaults)).toEqual(['C', 'D'])
    expect(portFaults({ ports: [{ containerPort: 8081 }] })).toEqual(['port 8081'])
    const linked = { spec: { containers: [{ name: 'api' }] } }
    expect(serviceLinkFaults(linked)).toEqual(['a pod with service links: "api"'])
    const pod = { template: { metadata: { labels: { a: '1' } } } }
    expect(selectorFaults([pod, { selector: { a: '1' } }])).toEqual([])
    expect(selectorFaults([pod, { selector: { matchLabels: { a: '2' } } }])).toEqual(['no pod has {"a":"2"}'])
  })
})
