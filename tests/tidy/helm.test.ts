import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { secretSettings, settings } from '#lib/config/settings/all.ts'
import { renderTemplate, type Scope } from '#tests/support/helm-template.ts'
import {
  portFaults,
  readManifest,
  selectorFaults,
  serviceLinkFaults,
  workloadFaults,
  workloadsOf,
} from './manifest-rules.ts'
import { schemaFaults } from './manifest-schemas.ts'
import { projectFile } from './tree.ts'

const names = ['api', 'tick', 'runner', 'migrate', 'network-policy', 'settings']
const values = parse(projectFile('infra/helm/values.yaml')) as Record<string, Scope>
const chart = parse(projectFile('infra/helm/Chart.yaml')) as Scope

/** The documents of the chart with changed values. */
function rendered(change: Record<string, object> = {}) {
  const own = Object.entries(values).map(([name, value]) => [name, { ...value, ...change[name] }])
  const scope = {
    Values: Object.fromEntries(own) as Scope,
    Release: { Name: 'mine', Namespace: 'jobs' },
    Chart: { AppVersion: chart['appVersion'] },
  }
  return names.flatMap((name) =>
    readManifest(renderTemplate(projectFile(`infra/helm/templates/${name}.yaml`), scope)).filter(
      (document) => document !== null && Object.keys(document).length > 0,
    ),
  )
}

const ofCommandLine = ['MILLRACE_URL', 'MILLRACE_API_KEY', 'MILLRACE_USER', 'MILLRACE_PASSWORD']
/** Every template takes these from the secret. */
const ofDatabase = ['DATABASE_URL', 'MILLRACE_DATABASE_DIRECT_URL']

test('the values name every setting that is not a secret, and no other', () => {
  const wanted = Object.keys(settings).filter(
    (name) => !secretSettings.includes(name) && ![...ofCommandLine, ...ofDatabase].includes(name),
  )
  expect(Object.keys(values['settings'] ?? {}).toSorted()).toEqual(wanted.toSorted())
  const parts = ['api', 'tick', 'runner'].map((part) => values[part]?.['settings'])
  expect(parts.flatMap((own) => Object.keys(own as object)).filter((name) => !wanted.includes(name))).toEqual(
    [],
  )
  const secret = Object.keys(values['secret']?.['settings'] as object)
  expect(secret.filter((name) => !secretSettings.includes(name))).toEqual([])
})

test('the chart renders valid manifests that start parts of the image', () => {
  const documents = rendered()
  expect(documents.map(({ kind }) => String(kind)).toSorted()).toEqual([
    'ConfigMap',
    'Deployment',
    'Deployment',
    'Deployment',
    'Job',
    'NetworkPolicy',
    'NetworkPolicy',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'PodDisruptionBudget',
    'Service',
  ])
  const known = documents.filter(({ kind }) => kind !== 'ConfigMap')
  expect(known.flatMap((document) => schemaFaults('infra/k8s/api.yaml', document))).toEqual([])
  expect(selectorFaults(documents)).toEqual([])
  expect(documents.flatMap(serviceLinkFaults)).toEqual([])
  expect(documents.flatMap(portFaults)).toEqual([])
  const workloads = documents.flatMap(workloadsOf)
  expect(workloads).toHaveLength(4)
  expect(workloads.flatMap((one) => workloadFaults(one, projectFile('infra/start.sh')))).toEqual([])
  expect(JSON.stringify(documents)).not.toContain('volumes')
})

test('settings are in the config map and change the pods, and an ingress exists when it has a host', () => {
  const checksumOf = (documents: ReturnType<typeof rendered>): string =>
    /"checksum\/settings":"(\w+)"/.exec(JSON.stringify(documents))?.[1] ?? ''
  const plain = rendered()
  const own = rendered({
    settings: { ...values['settings'], MILLRACE_QUEUES: 'reports=2' },
    ingress: { host: 'millrace.example.com', tlsSecret: 'tls' },
    image: { tag: '9.9.9', pullSecrets: [{ name: 'pull' }] },
    networkPolicy: { enabled: false },
  })
  const find = (kind: string) => own.find((document) => document['kind'] === kind)
  expect(find('ConfigMap')).toMatchObject({ data: { MILLRACE_QUEUES: 'reports=2' } })
  expect(checksumOf(own)).not.toBe(checksumOf(plain))
  expect(find('Ingress')).toMatchObject({
    spec: {
      tls: [{ hosts: ['millrace.example.com'], secretName: 'tls' }],
      rules: [{ host: 'millrace.example.com' }],
    },
  })
  expect(find('NetworkPolicy')).toBeUndefined()
  expect(JSON.stringify(find('Deployment'))).toContain('registry.example.com/millrace:9.9.9')
})

test('the chart has the version of the package', () => {
  const { version } = JSON.parse(projectFile('package.json')) as { version: string }
  expect(chart).toMatchObject({ version, appVersion: version })
})

test('unsupported template syntax is refused', () => {
  const scope = { Values: { a: 1 } }
  expect(renderTemplate('{{ .Values.a }}', scope)).toBe('1')
  for (const bad of [
    '{{ .Values.b }}',
    '{{ include "x" . }}',
    '{{ .Values.a | upper }}',
    '{{ if .Values.a }}',
    '{{ end }}',
  ])
    expect(() => renderTemplate(bad, scope)).toThrow()
})
