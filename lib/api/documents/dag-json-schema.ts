import { toJsonSchema } from '@valibot/to-json-schema'
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
  return { $schema, title: 'A DAG file', ...(described(schema) as Node) }
}

function described(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(described)
  if (typeof node !== 'object' || node === null) return node
  const { what, older, notOffered: _, ...rest } = node as Node
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, described(value)]),
  ) as Node
  if (typeof what !== 'string' || inner.properties === undefined) return inner
  return { ...inner, properties: propertiesOf(inner.properties, descriptions[what] ?? {}, older) }
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
