/** Writes the types of the TypeScript client (lib/client/api-types.gen.ts) from the OpenAPI document. */
import type { openApiDocument } from '#lib/api/documents/openapi.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')
const block = (lines: readonly string[]): string => `{ ${lines.join('; ')} }`

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `Schemas['${schema.$ref.split('/').at(-1)}']`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return union(choices.map(typeOf))
  if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => typeOf({ ...schema, type })))
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {})})[]`
  if (schema.type === 'object') return objectOf(schema)
  return primitives[String(schema.type)] ?? 'unknown'
}

function objectOf({ properties, required = [], additionalProperties: more }: Schema): string {
  if (properties !== undefined) {
    return block(
      Object.entries(properties).map(
        ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
      ),
    )
  }
  return `Record<string, ${typeof more === 'object' ? typeOf(more) : 'unknown'}>`
}

/** What the client makes of an answer: JSON is parsed, streams are handed on, the rest is text. */
function replyOf(content: Content | undefined): string {
  if (content === undefined) return 'undefined'
  return union(
    Object.entries(content).map(([type, { schema }]) => {
      if (type.startsWith('application/json')) return typeOf(schema)
      return /^(text\/event-stream|application\/x-ndjson)/.test(type)
        ? 'ReadableStream<Uint8Array>'
        : 'string'
    }),
  )
}

function parametersOf({ parameters }: Operation, location: Parameter['in']): string | undefined {
  const entries = parameters.filter((parameter) => parameter.in === location)
  if (entries.length === 0) return undefined
  const fields = entries.map(
    ({ name, required, schema }) => `${key(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
  )
  const word = { path: 'params', query: 'query', header: 'headers' }[location]
  return `${word}${entries.some((entry) => entry.required) ? '' : '?'}: ${block(fields)}`
}

function operationOf(operation: Operation): string {
  const { requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.schema
  const request = [
    parametersOf(operation, 'path'),
    parametersOf(operation, 'query'),
    parametersOf(operation, 'header'),
    body && `body${requestBody?.required ? '' : '?'}: ${typeOf(body)}`,
  ].filter((part) => part !== undefined)
  const replies = Object.entries(responses).map(([status, { content }]) => `${status}: ${replyOf(content)}`)
  return [
    `  /** ${operation.summary} */`,
    `  ${operation.operationId}: {`,
    `    request: ${block(request)}`,
    `    replies: ${block(replies)}`,
    '  }',
  ].join('\n')
}

/** The text of the file; the same document always gives the same text. Second spellings of a path are left out. */
export function clientTypes(document: ReturnType<typeof openApiDocument>): string {
  const { paths, components } = document as unknown as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ path, method, operation }))
      .filter(({ operation }) => !operation.operationId.endsWith('Alias')),
  )
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  ${name}: ${typeOf(schema)}`)
  const endpoints = operations.map(
    ({ path, method, operation }) => `  ${operation.operationId}: ['${method.toUpperCase()}', '${path}'],`,
  )
  return [
    '// Written by `npm run documents` from the OpenAPI document. Do not edit.',
    'export interface Schemas {',
    ...schemas,
    '}\n',
    'export interface Operations {',
    ...operations.map(({ operation }) => operationOf(operation)),
    '}\n',
    '/** Method and path of every operation. */',
    'export const endpoints: Readonly<Record<keyof Operations, readonly [method: string, path: string]>> = {',
    ...endpoints,
    '}\n',
  ].join('\n')
}
