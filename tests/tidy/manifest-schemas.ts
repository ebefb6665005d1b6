import { Ajv } from 'ajv'
import { readManifest } from './manifest-rules.ts'
import { projectFile } from './tree.ts'

/** Folder or file → its schema. All others name their kind. */
const byPath: readonly (readonly [path: string, schema: string])[] = [
  ['infra/compose.yaml', 'compose'],
  ['infra/compose.try.yaml', 'compose'],
  ['infra/aws/', 'cloudformation'],
  ['infra/prometheus/', 'prometheus#/definitions/Rules'],
  ['infra/grafana/', 'grafana#/definitions/Model'],
]

const byApi: Readonly<Record<string, string>> = {
  v1: 'kubernetes',
  'apps/v1': 'kubernetes',
  'batch/v1': 'kubernetes',
  'policy/v1': 'kubernetes',
  'networking.k8s.io/v1': 'kubernetes',
  'keda.sh/v1alpha1': 'keda',
  'kustomize.config.k8s.io/v1beta1': 'kustomize',
  'serving.knative.dev/v1': 'cloud-run',
  'run.googleapis.com/v1': 'cloud-run',
}

/** Not inlined, not optimised: compiled in a tenth of the time. */
const ajv = new Ajv({
  strictTypes: false,
  discriminator: true,
  inlineRefs: false,
  code: { optimize: false },
})
for (const name of new Set([...Object.values(byApi), 'compose', 'cloudformation', 'prometheus', 'grafana'])) {
  ajv.addSchema(JSON.parse(projectFile(`infra/checks/schemas/${name}.json`)) as object, name)
}

const calls: Readonly<Record<string, string>> = { '!Sub': 'Fn::Sub', '!GetAtt': 'Fn::GetAtt' }

/** The documents of a manifest, with the tags of CloudFormation written out. */
export function documentsOf(yaml: string): unknown[] {
  return readManifest(yaml, (tag, value) => ({ [calls[tag] ?? 'Ref']: value }))
}

/** The deviations of a document from the schema of its kind, one line each. */
export function schemaFaults(path: string, document: unknown): string[] {
  const [, named] = byPath.find(([start]) => path.startsWith(start)) ?? []
  const { apiVersion, kind } = Object(document) as Record<string, unknown>
  const schema = named ?? `${byApi[String(apiVersion)]}#/definitions/${String(kind)}`
  const validate = ajv.getSchema(schema)
  if (validate === undefined) return [`no schema of ${path}: ${String(apiVersion)} ${String(kind)}`]
  return validate(document) === true ? [] : [ajv.errorsText(validate.errors, { dataVar: path })]
}
