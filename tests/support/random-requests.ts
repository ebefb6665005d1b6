import * as fc from 'fast-check'
import type { Schema } from './json-schema.ts'

/** A request generated from the OpenAPI document: valid, nearly valid or wild. */
export interface FuzzRequest {
  readonly method: string
  /** The encoded path below the base path, with the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface FuzzOperation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly body: Schema | undefined
}

/** Existing values by the name of their field, so that many requests pass the checks. */
export type Pools = Readonly<Record<string, readonly string[]>>

const evilTexts =
  `. .. ../../etc/passwd a/b % %2e%2e __proto__ constructor latest null -1 0 1e9 999999999999999999999
  ٣ 𝒳 $(id) \${HOME} * ? # ';--`.split(/\s+/)
const evil = fc.constantFrom(
  ...evilTexts,
  '',
  ' ',
  '\u0000',
  '\uFEFF',
  '\ud800',
  '\r\nx: y',
  '`id`',
  ...[41, 65, 5_000].map((length) => 'a'.repeat(length)),
)
const anyText = fc.oneof(evil, fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 20 }))

/** A value that fits a schema. Values of known fields come from the pools. */
function fitting(schema: Schema, pools: Pools, name = ''): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const'])
  const options = schema['enum'] as readonly unknown[] | undefined
  if (options !== undefined) return fc.constantFrom(...options)
  const pool = pools[name]
  if (schema['type'] === 'integer') {
    const low = Number(schema['minimum'] ?? 1)
    const fits = fc.integer({ min: low, max: Number(schema['maximum'] ?? low + 50) })
    const known = pool === undefined ? fits : fc.constantFrom(...pool)
    return fc.oneof(
      { weight: 5, arbitrary: known },
      { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }) },
    )
  }
  if (schema['type'] === 'boolean') return fc.boolean()
  if (schema['type'] === 'object') {
    const fields = (schema['properties'] ?? {}) as Record<string, Schema>
    const required = (schema['required'] ?? []) as string[]
    const model = Object.fromEntries(
      Object.entries(fields).map(([field, inner]) => [field, fitting(inner, pools, field)]),
    )
    return fc.record(model, { requiredKeys: required })
  }
  if (schema['type'] === 'array') {
    const item = fitting(schema['items'] as Schema, pools, name)
    const longest = Math.min(4, Number(schema['maxItems'] ?? 4))
    return fc.uniqueArray(item, {
      minLength: Math.min(1, longest),
      maxLength: longest,
      selector: (one) => JSON.stringify(one),
    })
  }
  const pattern = schema['pattern']
  const text =
    typeof pattern === 'string'
      ? fc.stringMatching(new RegExp(pattern)).map((made) => made.slice(0, Number(schema['maxLength'] ?? 60)))
      : fc.string({ maxLength: 12 })
  if (pool === undefined) return text
  const known = fc.constantFrom(...pool)
  const cut = fc.tuple(known, fc.nat(), fc.nat(9), anyText).map(([whole, index, gone, put]) => {
    const at = index % (whole.length + 1)
    return whole.slice(0, at) + put + whole.slice(at + gone)
  })
  return fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: name === 'spec' || name === 'params' ? cut : text },
  )
}

/** The same, possibly with one mistake. */
function nearly(made: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(made, fc.nat(9), fc.oneof(anyText, fc.jsonValue({ maxDepth: 2 })), fc.boolean())
    .map(([value, at, wrong, drop]) => {
      if (typeof value !== 'object' || value === null) return at < 5 ? wrong : value
      const entries = Object.entries(value)
      if (entries.length === 0) return { extra: wrong }
      const spoilt = at % entries.length
      return Object.fromEntries(
        entries.flatMap(([key, field], index) =>
          index !== spoilt ? [[key, field]] : drop ? [] : [[key, wrong]],
        ),
      )
    })
}

const wildBody = fc.oneof(
  fc.json({ maxDepth: 4 }),
  anyText,
  fc.constantFrom(
    '{',
    '[]',
    'null',
    '"x"',
    '{"spec":',
    '['.repeat(20_000),
    '{"__proto__":{"a":1}}',
    '\uFEFF{}',
  ),
  fc.constantFrom(
    '{"spec": "steps:\\n  - &a [*a, *a]\\n"}',
    `{"spec": ${JSON.stringify('['.repeat(3_000))}}`,
  ),
)

const headerText = fc.string({ maxLength: 20 }).map((text) => text.trim().replaceAll(/[^\x21-\x7e]/g, '-'))
const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded'),
    accept: fc.constantFrom(
      'application/json',
      'text/event-stream',
      'application/x-ndjson',
      '*/*',
      'nonsense',
    ),
    authorization: fc.oneof(headerText, fc.constantFrom('Bearer x', 'Basic ???', 'Basic Og==')),
    'idempotency-key': fc.oneof(headerText, fc.constantFrom('once', 'é', 'k'.repeat(300))),
    'if-match': fc.constantFrom('*', '"1"', 'W/"1"', '"x"', '"1", "2"', '1'),
    'last-event-id': fc.oneof(headerText, fc.constantFrom('0', '-1', '99999999999999999999')),
    'x-request-id': headerText,
    origin: fc.constantFrom('null', 'https://evil.example', 'http://localhost'),
    'sec-fetch-site': fc.constantFrom('cross-site', 'same-origin', 'none', 'x'),
  },
  { requiredKeys: [] },
)

const quietHeaders = fc.record(
  {
    'content-type': fc.constant('application/json'),
    'idempotency-key': fc.constantFrom('first', 'second'),
    'if-match': fc.constantFrom('"1"', '"2"'),
  },
  { requiredKeys: ['content-type'] },
)

/** The text of a parameter; lists are separated by commas. */
const plainText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(plainText).join(',')
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
const encoded = (value: unknown): string => encodeURIComponent(plainText(value).toWellFormed())

/** A request to one of the operations, or to any path. */
export function fuzzRequest(operations: readonly FuzzOperation[], pools: Pools): fc.Arbitrary<FuzzRequest> {
  const each = operations.map((operation) => {
    const valid = ofOperation(operation, pools, (made) => made, fc.constant(undefined), quietHeaders)
    const near = ofOperation(
      operation,
      pools,
      nearly,
      fc.option(wildBody, { nil: undefined, freq: 3 }),
      quietHeaders,
    )
    const wild = ofOperation(operation, pools, nearly, wildBody, headers)
    return fc.oneof(
      { weight: 5, arbitrary: valid },
      { weight: 3, arbitrary: near },
      { weight: 2, arbitrary: wild },
    )
  })
  const anywhere = fc
    .tuple(
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'),
      fc.array(fc.oneof(anyText.map(encoded), fc.constantFrom('dags', 'dag-runs', '%zz', '%c0%ae', '..')), {
        maxLength: 5,
      }),
      wildBody,
      headers,
    )
    .map(([method, parts, body, head]) => ({
      method,
      target: `/${parts.join('/')}`,
      headers: head as Record<string, string>,
      body: method === 'GET' || method === 'HEAD' ? undefined : body,
    }))
  return fc.oneof(...each, anywhere)
}

function ofOperation(
  { method, path, parameters, body }: FuzzOperation,
  pools: Pools,
  spoil: (made: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>,
  otherBody: fc.Arbitrary<string | undefined>,
  head: fc.Arbitrary<Readonly<Record<string, string | undefined>>>,
): fc.Arbitrary<FuzzRequest> {
  const model = Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in !== 'header')
      .map(({ name, required, schema }) => {
        const made = fitting(schema, pools, name)
        return [name, required ? made : fc.option(made, { nil: undefined, freq: 3 })]
      }),
  )
  const fits =
    body === undefined
      ? fc.constant(undefined)
      : spoil(fitting(body, pools)).map((made) => JSON.stringify(made))
  return fc.tuple(spoil(fc.record(model)), fits, otherBody, head).map(([values, made, other, headers]) => {
    const given = Object(values) as Record<string, unknown>
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(given[name] ?? 'x'))
    const query = parameters
      .filter(({ in: where, name }) => where === 'query' && given[name] !== undefined)
      .map(({ name }) => `${name}=${encoded(given[name])}`)
    const sent = method === 'GET' || method === 'HEAD' ? undefined : (other ?? made)
    return {
      method,
      target: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
      headers: Object.fromEntries(
        Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      body: sent,
    }
  })
}
