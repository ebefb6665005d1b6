import { toJsonSchema } from '@valibot/to-json-schema'
import { executorTypes } from '#lib/definition/definition.ts'
import { executors } from '#lib/definition/executor-config/executors.ts'
import { configDescriptions } from '#lib/definition/schema/config-descriptions.ts'
import { Container } from '#lib/definition/schema/container.ts'
import { Dag } from '#lib/definition/schema/dag.ts'
import { descriptions } from '#lib/definition/schema/descriptions.ts'
import { Conditions } from '#lib/definition/schema/policies.ts'
import { Step } from '#lib/definition/schema/step.ts'

interface Node {
  [key: string]: unknown
  readonly properties?: Readonly<Record<string, Node>>
}

/** The schema of DAG files before the descriptions are filled in: each map still says `what` it is. */
export function formatSchema(): Readonly<Record<string, unknown>> {
  return toJsonSchema(Dag, {
    errorMode: 'ignore',
    typeMode: 'input',
    definitions: { Step, Container, Conditions },
  }) as Readonly<Record<string, unknown>>
}

/**
 * The format of DAG files as a JSON Schema (draft 7), for editors. Generated from the schemas that files are parsed
 * with, so both accept the same, except for names with underscores, which only the parser knows.
 */
export function dagJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = formatSchema()
  const { $defs, ...dag } = described(schema) as Node
  return { $schema, title: 'A DAG file', ...dag, $defs: { ...($defs as Node), ...configs() } }
}

const configName = (type: string): string => `${type.charAt(0).toUpperCase()}${type.slice(1)}Config`

/** The config of each executor that has one. Fields that none knows are allowed, as the parser only warns of them. */
function configs(): Record<string, Node> {
  const entries = executorTypes.flatMap((type) => {
    const { config } = executors[type]
    if (config === undefined) return []
    const { $schema: _, ...schema } = toJsonSchema(config, { errorMode: 'ignore', typeMode: 'input' })
    const { additionalProperties: __, ...open } = described(schema) as Node
    return [[configName(type), withTexts(open, configDescriptions[type] ?? {}, '')] as const]
  })
  return Object.fromEntries(entries)
}

/** Describes fields by their paths. */
function withTexts(node: Node, texts: Readonly<Record<string, string>>, path: string): Node {
  const { properties = {} } = node
  const entries = Object.entries(properties).map(([name, field]): [string, Node] => {
    const description = texts[path + name]
    const inner = withTexts(field, texts, `${path}${name}.`)
    return [name, description === undefined ? inner : { description, ...inner }]
  })
  return entries.length === 0 ? node : { ...node, properties: Object.fromEntries(entries) }
}

/** Which config belongs to which type. */
function configRules(): Node[] {
  return executorTypes
    .filter((type) => executors[type].config !== undefined)
    .map((type) => ({
      if: { required: ['type'], properties: { type: { enum: [type, ...executors[type].spellings] } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: { properties: { config: { $ref: `#/$defs/${configName(type)}` } } },
    }))
}

/** Maps with a `type` and the `config` for it. */
const typed = new Set(['a step', 'an executor'])

function described(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(described)
  if (typeof node !== 'object' || node === null) return node
  const { what, older, notOffered: _, ...rest } = node as Node
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, described(value)]),
  ) as Node
  if (typeof what !== 'string' || inner.properties === undefined) return inner
  const properties = propertiesOf(inner.properties, descriptions[what] ?? {}, older)
  return { ...inner, properties, ...(typed.has(what) && { allOf: configRules() }) }
}

function propertiesOf(
  fields: Readonly<Record<string, Node>>,
  texts: Readonly<Record<string, string>>,
  older: unknown,
): Record<string, Node> {
  const named = Object.entries(fields).map(([name, field]) => {
    const description = texts[name]
    return [name, description === undefined ? field : { description, ...field }]
  })
  const aliases = Object.entries((older ?? {}) as Record<string, string>).map(([alias, name]) => {
    return [alias, { ...fields[name], description: `Another spelling of ${name}.`, deprecated: true }]
  })
  return Object.fromEntries([...named, ...aliases]) as Record<string, Node>
}
