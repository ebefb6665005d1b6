import { parseAllDocuments } from 'yaml'
import { readConfig } from '#lib/config/config.ts'
import { secretSettings, settings } from '#lib/config/settings/all.ts'

/** A process that a manifest starts, whatever the platform calls it. */
export interface Workload {
  /** Its arguments: the part, then options. */
  readonly args: readonly string[]
  /** Undefined for a value from a secret. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Seconds from the signal to the end by force; from start to end for a job. */
  readonly endsAfterS: number | undefined
}

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const tags = ['!Ref', '!Sub', '!GetAtt']

/** The documents of a file, with each tag of CloudFormation read as a reference. */
export function readManifest(
  yaml: string,
  standsFor = (_tag: string, value: string): unknown => `{{${value}}}`,
): Node[] {
  const customTags = tags.map((tag) => ({ tag, resolve: (value: string) => standsFor(tag, value) }))
  return parseAllDocuments(yaml, { customTags, merge: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join('\n'))
    return document.toJS() as Node
  })
}

/** Every object of a document, from the outside in. */
export function* nodesOf(value: unknown): Generator<Node> {
  if (!isNode(value)) return
  yield value
  for (const inner of Object.values(value)) yield* nodesOf(inner)
}

/** The processes of a document: containers of pods, of Cloud Run, of ECS, services of compose, Lambda functions. */
export function workloadsOf(document: Node): Workload[] {
  const found: Workload[] = []
  for (const node of nodesOf(document)) {
    const pod = node['containers']
    if (Array.isArray(pod)) {
      const end = node['terminationGracePeriodSeconds'] ?? node['timeoutSeconds']
      for (const { args, env } of pod as Node[]) found.push(workload(args, listed(env), end))
    }
    const tasks = node['ContainerDefinitions']
    if (Array.isArray(tasks)) {
      for (const { Command, Environment, Secrets, StopTimeout } of tasks as Node[])
        found.push(workload(Command, { ...listed(Environment), ...listed(Secrets) }, StopTimeout))
    }
    if (node['image'] === 'millrace' && Array.isArray(node['command'])) {
      const end = text(node['stop_grace_period'])?.replace('s', '')
      found.push(workload(node['command'], (node['environment'] ?? {}) as Workload['env'], end))
    }
  }
  return found
}

function workload(args: unknown, env: Workload['env'], end: unknown): Workload {
  const given = Object.entries(env).map(([name, value]) => [name, isReference(value) ? undefined : value])
  return {
    args: Array.isArray(args) ? args.map(String) : [],
    env: Object.fromEntries(given) as Workload['env'],
    endsAfterS: end === undefined ? undefined : Number(end),
  }
}

function listed(env: unknown): Record<string, string | undefined> {
  const entries = (Array.isArray(env) ? (env as Node[]) : []).map((entry) => [
    text(entry['name'] ?? entry['Name']) ?? '',
    text(entry['value'] ?? entry['Value']),
  ])
  return Object.fromEntries(entries) as Record<string, string | undefined>
}

const isReference = (value: string | undefined): boolean =>
  value?.includes('${') === true || value?.includes('{{') === true

const stand: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://user:secret@host/database',
  MILLRACE_DATABASE_DIRECT_URL: 'postgres://user:secret@host/database',
  MILLRACE_TRUSTED_PROXIES: '127.0.0.1',
  MILLRACE_TZ: 'UTC',
  MILLRACE_QUEUES: 'lane=1',
}

/** Unknown or invalid settings, secrets in plain text, parts that the image lacks, and ends that come too soon. */
export function workloadFaults({ args, env, endsAfterS }: Workload, startScript: string): string[] {
  const [part = '', ...options] = args
  const own = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value ?? stand[name] ?? `sixteen-characters-for-${name}`,
    ]),
  )
  const isKnown = new RegExp(`^ {2}(.*\\| )?${part}( \\|.*)?\\)`, 'm').test(startScript)
  const grace = Number(env['MILLRACE_RUNNER_GRACE_S'] ?? settings.MILLRACE_RUNNER_GRACE_S.default)
  const least = Number(env['MILLRACE_RUNNER_BUDGET_S'] ?? 0) + grace
  return [
    ...(isKnown && part !== '' ? [] : [`the image has no part "${part}"`]),
    ...options
      .filter((option) => part !== 'tick' || option !== '--watch')
      .map((option) => `no option ${option}`),
    ...Object.keys(env)
      .filter((name) => secretSettings.includes(name) && env[name] !== undefined)
      .map((name) => `${name} is in plain text`),
    ...('DATABASE_URL' in env ? [] : ['DATABASE_URL is missing']),
    ...(part !== 'runner' || (endsAfterS ?? 0) > least
      ? []
      : [`ends after ${endsAfterS} s, but needs ${least}`]),
    ...configFaults({ ...own, ...(part === 'api' && { MILLRACE_HOST: '0.0.0.0' }) }),
  ]
}

function configFaults(env: Readonly<Record<string, string>>): string[] {
  try {
    return [...readConfig(env).warnings]
  } catch (error) {
    return [String(error)]
  }
}

/** What a CloudFormation template refers to and does not have; SAM adds `…Url` for a function with a URL. */
export function referenceFaults(template: Node): string[] {
  const resources = Object.keys(Object(template['Resources']) as object)
  const urls = resources.map((name) => `${name}Url`)
  const known = new Set([...Object.keys(Object(template['Parameters']) as object), ...resources, ...urls])
  const texts = [...nodesOf(template)].flatMap((node) =>
    Object.values(node).filter((value) => typeof value === 'string'),
  )
  const names = texts.flatMap((value) => [
    ...[...value.matchAll(/^\{\{([\w:]+)(?:\.\w+)?\}\}$/g)].map(([, name = '']) => name),
    ...[...value.matchAll(/\$\{([\w:]+)\}/g)].map(([, name = '']) => name),
  ])
  return names.filter((name) => !known.has(name) && !name.startsWith('AWS::'))
}

/** Pods that get variables for each service, such as MILLRACE_API_PORT, which look like settings. */
export function serviceLinkFaults(document: Node): string[] {
  const pods = [...nodesOf(document)].filter((node) => Array.isArray(node['containers']))
  return pods
    .filter((pod) => pod['enableServiceLinks'] !== false)
    .map((pod) => `a pod with service links: ${JSON.stringify((pod['containers'] as Node[])[0]?.['name'])}`)
}

/** Ports of containers, of probes and of policies that are not the one that the API listens on. */
export function portFaults(document: Node): string[] {
  const expected = Number(settings.MILLRACE_PORT.default)
  const others = new Set([53, 5432, 6432, 80])
  return [...nodesOf(document)].flatMap((node) =>
    ['containerPort', 'port', 'targetPort']
      .map((name) => node[name])
      .filter((port) => typeof port === 'number' && port !== expected && !others.has(port))
      .map((port) => `port ${String(port)}`),
  )
}

/** Selectors of Kubernetes that choose no pod of these documents. */
export function selectorFaults(documents: readonly Node[]): string[] {
  const all = documents.flatMap((document) => [...nodesOf(document)])
  const pods = all.filter((node) => isNode(node['template'])).map((node) => labelsOf(node['template']))
  return all.flatMap((node) => {
    const selector = node['selector'] ?? node['podSelector']
    if (!isNode(selector)) return []
    const wanted = (selector['matchLabels'] ?? ('matchExpressions' in selector ? {} : selector)) as Node
    const fits = pods.some((labels) =>
      Object.entries(wanted).every(([name, value]) => labels[name] === value),
    )
    return fits ? [] : [`no pod has ${JSON.stringify(wanted)}`]
  })
}

function labelsOf(template: unknown): Node {
  const metadata = isNode(template) ? template['metadata'] : undefined
  const labels = isNode(metadata) ? metadata['labels'] : undefined
  return { 'app.kubernetes.io/name': 'millrace', ...(isNode(labels) ? labels : {}) }
}
