import * as v from 'valibot'
import { badRequest, ServiceError } from '#lib/core/errors.ts'
import { GrowingBytes } from '#lib/core/growing-bytes.ts'
import { limits } from '#lib/core/limits.ts'
import { isJson } from '#lib/definition/values/json-scan.ts'

/**
 * Reads a JSON object, whatever the Content-Type says. An empty body counts as `{}`, and `null` as an absent field,
 * except in a field of the schema that takes it.
 * @throws ServiceError `bad_request` when it is too large or not a JSON object
 */
export async function readBody(request: Request, schema?: v.GenericSchema): Promise<Record<string, unknown>> {
  const text = Buffer.from(await readBytes(request)).toString('utf8')
  if (text.trim() === '') return {}
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('the body must be a JSON object')
  }
  const fields = Object.entries(body)
  if (fields.length > limits.requestFieldsMax) {
    throw badRequest(`the body has more than ${limits.requestFieldsMax} fields`)
  }
  return Object.fromEntries(fields.filter(([name, value]) => value !== null || takesNull(schema, name)))
}

function takesNull(schema: v.GenericSchema | undefined, name: string): boolean {
  const entries = schema !== undefined && 'entries' in schema ? Object(schema.entries) : {}
  return Object.hasOwn(entries, name) && v.is(entries[name], null)
}

function parseJson(text: string): unknown {
  if (isJson(text, limits.requestDepthMax)) return JSON.parse(text)
  if (!isJson(text)) throw badRequest('the body is not valid JSON')
  throw badRequest(`the body is nested more than ${limits.requestDepthMax} levels deep`)
}

/** @throws ServiceError `bad_request` when the body is larger than `limits.requestBodyBytesMax`, or did not arrive */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced > limits.requestBodyBytesMax) throw tooLarge()
  try {
    // Node's server delivers no more bytes than announced, so no limit has to be enforced while reading.
    return announced >= 0 ? new Uint8Array(await request.arrayBuffer()) : await readUnannounced(request)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError('bad_request', 'the body arrived incomplete', { cause: error })
  }
}

async function readUnannounced({ body }: Request): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  const bytes = new GrowingBytes()
  for await (const chunk of body) {
    bytes.add(chunk)
    if (bytes.size > limits.requestBodyBytesMax) throw tooLarge()
  }
  return bytes.take()
}

const tooLarge = (): ServiceError => badRequest(`the body is larger than ${limits.requestBodyBytesMax} bytes`)

/** The first value of each key of a query. Empty values count as absent. */
export function readQuery(query: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

/**
 * Validates one part of a request.
 * @throws ServiceError `bad_request` that names each faulty field, its value and the rule
 */
export function parseInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input)
  const faults = result.success
    ? unstorableFields(result.output)
    : result.issues.map((issue) => {
        const field = v.getDotPath(issue) ?? 'body'
        return { field, message: `${field}: ${describe(issue)}` }
      })
  if (result.success && faults.length === 0) return result.output
  throw badRequest(faults.map((fault) => fault.message).join('; '), {
    fields: faults.map((fault) => fault.field),
  })
}

/**
 * Texts that Postgres cannot store. Refused everywhere except in a spec, whose reader reports the line. Inputs are
 * flat.
 */
function unstorableFields(input: unknown): { field: string; message: string }[] {
  return Object.entries(Object(input) as object).flatMap(([field, value]: [string, unknown]) => {
    if (typeof value !== 'string' || field === 'spec') return []
    if (value.isWellFormed() && !value.includes('\0')) return []
    const message = `${field}: must not hold NUL characters or halves of surrogate pairs`
    return [{ field, message }]
  })
}

/** Quotes the value, unless it is a secret. */
function describe(issue: v.BaseIssue<unknown>): string {
  if (issue.received === 'undefined') return 'is required'
  if (issue.expected === 'never') return 'is not a known field'
  const asked = issue.message.startsWith('must')
    ? issue.message
    : `must be ${issue.expected ?? 'something else'}`
  return /^(password|token)$/.test(v.getDotPath(issue) ?? '')
    ? asked
    : `${asked}, got ${shorten(issue.input)}`
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
