import { toJsonSchema, toJsonSchemaDefs, type ConversionConfig } from '@valibot/to-json-schema'
import type { GenericSchema, ObjectEntries, ObjectSchema } from 'valibot'
import type { ErrorCode } from '#lib/core/errors.ts'
import type { Route } from '#lib/api/define-route.ts'
import { errorStatuses } from '#lib/api/answers/error-body.ts'
import { ndjson } from '#lib/api/answers/rows.ts'
import * as access from '#lib/api/schemas/access.ts'
import * as dag from '#lib/api/schemas/dag.ts'
import * as dagVersion from '#lib/api/schemas/dag-version.ts'
import * as deployment from '#lib/api/schemas/deployment.ts'
import * as log from '#lib/api/schemas/log.ts'
import * as queue from '#lib/api/schemas/queue.ts'
import * as run from '#lib/api/schemas/run.ts'
import * as runOutline from '#lib/api/schemas/run-outline.ts'
import * as session from '#lib/api/schemas/session.ts'
import * as step from '#lib/api/schemas/step.ts'
import * as system from '#lib/api/schemas/system.ts'

type Json = Readonly<Record<string, unknown>>

/** Named by the files of schemas, beside the schemas. */
const components: Readonly<Record<string, GenericSchema>> = {
  ...system.components,
  ...dag.components,
  ...dagVersion.components,
  ...step.components,
  ...run.components,
  ...runOutline.components,
  ...log.components,
  ...queue.components,
  ...session.components,
  ...access.components,
  ...deployment.components,
}

const config: ConversionConfig = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  definitions: { ...components },
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  // Limits in bytes and reserved words cannot be expressed; the descriptions mention them.
  ignoreActions: ['check', 'not_value'],
}

const routerErrors: readonly ErrorCode[] = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'internal_error',
  'bad_gateway',
  'remote_node_error',
  'service_unavailable',
]

/** Writes the OpenAPI 3.1 document of a list of routes. Deterministic. */
export function openApiDocument(
  routes: readonly Route[],
  about: { version: string; basePath: string },
): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    ;(paths[route.path] ??= {})[route.method] = { operationId: route.operationId, ...operation(route) }
    for (const alias of route.aliases ?? []) {
      ;(paths[alias] ??= {})[route.method] = { operationId: `${route.operationId}Alias`, ...operation(route) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version: about.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.basePath }],
    security: [{ basic: [] }, { bearer: [] }, { session: [] }, {}],
    paths,
    components: {
      schemas: toJsonSchemaDefs({ ...components }, { ...config, typeMode: 'output' }),
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-millrace',
          description:
            'Set by POST /session. A call that changes something also needs the header `x-millrace: 1`',
        },
      },
    },
  }
}

const idempotencyKeyHeader: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A call repeated with the same key changes nothing more and gets the same answer',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const ifMatchHeader: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'ETag of the text that was read; the answer is 412 if another text has been saved since',
  schema: { type: 'string' },
}

function operation(route: Route): Json {
  return {
    summary: route.summary,
    tags: [route.path.split('/')[1]],
    ...(route.access === 'public' && { security: [] }),
    ...(route.access === 'session' && { security: [{ session: [] }, {}] }),
    'x-access': route.access,
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      {
        name: 'remoteNode',
        in: 'query',
        required: false,
        description: 'Name of a configured node; this one when absent or `local`',
        schema: { type: 'string', default: 'local' },
      },
      ...(route.idempotent === true ? [idempotencyKeyHeader] : []),
      ...(route.conditional === true ? [ifMatchHeader] : []),
    ],
    ...(route.body && {
      requestBody: {
        required: required(route.body).length > 0,
        content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
      },
    }),
    responses: responses(route),
  }
}

function parameters(schema: GenericSchema | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return []
  const { entries } = schema as ObjectSchema<ObjectEntries, undefined>
  const asked = required(schema)
  return Object.entries(entries).map(([name, entry]) => ({
    name,
    in: place,
    required: asked.includes(name),
    schema: schemaOf(entry as GenericSchema, 'output'),
  }))
}

function required(schema: GenericSchema): readonly string[] {
  return toJsonSchema(schema, { ...config, typeMode: 'input' }).required ?? []
}

function responses(route: Route): Json {
  const answers: Record<string, Json> = { [route.status]: answer(route) }
  const byStatus = Map.groupBy(
    [...route.errors, ...routerErrors],
    (code) => route.errorStatus?.[code] ?? errorStatuses[code],
  )
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    answers[status] = {
      description: [...new Set(codes)].join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    }
  }
  if (route.responseType === 'text/event-stream') answers['204'] = { description: 'there are no more events' }
  if (route.operationId === 'getHealth') answers['503'] = { ...answer(route), description: 'unhealthy' }
  return answers
}

function answer(route: Route): Json {
  if (route.response === undefined) return { description: 'done; no content' }
  return {
    description: 'done',
    content: {
      [route.responseType ?? 'application/json']: { schema: schemaOf(route.response, 'output') },
      ...(route.asLines && { [ndjson]: { schema: { type: 'string', description: 'One item a line' } } }),
    },
  }
}

function schemaOf(schema: GenericSchema, typeMode: 'input' | 'output'): Json {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, { ...config, typeMode })
  return rest
}
