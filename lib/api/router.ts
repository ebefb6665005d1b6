import { randomUUID } from 'node:crypto'
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { invariant, ServiceError } from '#lib/core/errors.ts'
import { addAuditEntry } from '#lib/audit/add-audit-entry.ts'
import type { Log } from '#lib/telemetry/log.ts'
import { answerInTime } from './answer-in-time.ts'
import { checkAccess, everybody, nobody, type Authenticator, type Caller } from './auth.ts'
import { refuseCrossSite } from './cross-site.ts'
import { Answer, Json, NoContent, type Route } from './define-route.ts'
import { asServiceError, errorBody, errorStatuses } from './error-body.ts'
import { EventStream } from './event-stream.ts'
import { ndjson, Rows, rowsBody } from './rows.ts'
import { guardHeaders } from './guard-headers.ts'
import { parseInput, readBody, readBytes, readQuery } from './read-input.ts'
import { placeAtNode, remoteNodeOf, type RemoteNodes } from './remote-nodes.ts'
import type { Services } from './services.ts'

export interface RouterOptions {
  readonly basePath: string
  readonly services: Services
  readonly authenticator: Authenticator
  readonly streamEvents: (stream: EventStream) => Response
  readonly remoteNodes: RemoteNodes
  readonly log: Pick<Log, 'debug' | 'info' | 'error'>
  /** Parses every answer with the route's own reply schema and throws when it does not fit. */
  readonly checkReplies: boolean
  /** Milliseconds until a call is given up. */
  readonly answerMsMax: number
}

interface CallEnv {
  /** What the server knows of the connection: where the call comes from. */
  Bindings: { address?: string }
  Variables: {
    requestId: string
    failure: ServiceError | undefined
    route: string
    caller: Caller | undefined
  }
}
type Call = Context<CallEnv>

/** Makes the app that serves a list of routes: everything that all endpoints share happens here, once. */
export function createRouter(routes: readonly Route[], options: RouterOptions): Hono<CallEnv> {
  const app = new Hono<CallEnv>({ strict: false })
  app.use(async (c, next) => {
    const given = c.req.header('x-request-id') ?? ''
    c.set('requestId', /^[\w-]{1,64}$/.test(given) ? given : randomUUID())
    const begun = performance.now()
    await next()
    for (const [name, value] of Object.entries(guardHeaders)) c.res.headers.set(name, value)
    c.res.headers.set('x-request-id', c.get('requestId'))
    logCall(c, options.log, performance.now() - begun)
  })
  app.onError((error, c) => answerError(c, asServiceError(error), undefined, options))
  const allowed = new Map<string, string[]>()
  for (const route of routes) {
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const place = options.basePath + path.replace(/\{(\w+)\}/g, ':$1')
      allowed.set(place, [...(allowed.get(place) ?? []), route.method.toUpperCase()])
      app.on(route.method.toUpperCase(), place, async (c) => {
        c.set('route', `${route.method.toUpperCase()} ${path}`)
        const answer = await answerCall(c, route, path, options).catch((error: unknown) =>
          answerError(c, asServiceError(error), route, options),
        )
        await writeDown(c, route, answer.status, options)
        return answer
      })
    }
  }
  for (const [place, methods] of allowed) app.all(place, (c) => answerMethod(c, methods))
  app.notFound((c) => answerError(c, new ServiceError('not_found', 'no such endpoint'), undefined, options))
  return app
}

async function answerCall(c: Call, route: Route, path: string, options: RouterOptions): Promise<Response> {
  if (acts(route)) {
    if (c.req.method === 'HEAD') return answerMethod(c, [route.method.toUpperCase()])
    refuseCrossSite(c.req.raw)
  }
  const ms = options.answerMsMax
  const query = readQuery(c.req.query())
  const node = remoteNodeOf(query)
  // A call to a node spends the node's credential: nobody may do that without one of their own.
  const access = node !== undefined && route.access === 'public' ? 'read' : route.access
  const caller =
    access === 'public'
      ? nobody
      : await answerInTime(options.authenticator.identify(c.req.header('authorization'), addressOf(c)), ms)
  c.set('caller', caller)
  checkAccess(caller, access)
  const params = route.params && parseInput(route.params, c.req.param())
  if (node !== undefined) {
    const place = placeAtNode(path, Object(params) as Record<string, unknown>, new URL(c.req.url).search)
    return forward(c, node, place, options)
  }
  const input = {
    params,
    query: route.query && parseInput(route.query, query),
    body: route.body && parseInput(route.body, await readBody(c.req.raw)),
    headers: c.req.raw.headers,
    caller,
  }
  const outcome = await answerInTime(route.handle(input, options.services), ms)
  if (outcome instanceof EventStream) {
    return c.req.method === 'HEAD' ? new Response(null) : options.streamEvents(outcome)
  }
  if (outcome instanceof Rows) return await sendRows(c, route, outcome, options)
  if (outcome instanceof Json) {
    if (options.checkReplies) checkReply(route, new Answer(JSON.parse(outcome.text), {}))
    return new Response(outcome.text, {
      status: route.status,
      headers: { 'content-type': 'application/json' },
    })
  }
  const answer = outcome instanceof Answer ? outcome : new Answer<unknown>(outcome, {})
  if (options.checkReplies && !(answer instanceof NoContent)) checkReply(route, answer)
  return send(route, answer)
}

async function sendRows(c: Call, route: Route, rows: Rows, options: RouterOptions): Promise<Response> {
  const asLines = c.req.header('accept')?.includes(ndjson) ?? false
  const check = (page: readonly object[]): void => {
    if (options.checkReplies) checkReply(route, new Answer({ [rows.field]: page, ...rows.rest }, {}))
  }
  const body = await answerInTime(rowsBody(rows, { asLines, check }), options.answerMsMax)
  return new Response(body, { headers: { 'content-type': asLines ? ndjson : 'application/json' } })
}

/** Whether a call may change something. The method does not tell: to take a run from its queue is a GET. */
const acts = ({ access, method }: Route): boolean =>
  access === 'run' || access === 'write' || access === 'tick' || (access === 'admin' && method !== 'get')

/** Whoever calls the app without a server (a test, a platform that does not tell) comes from nowhere. */
const addressOf = (c: Call): string => (c.env as CallEnv['Bindings'] | undefined)?.address ?? ''

/** Who changed what, or tried to. A change that was made is not taken back because it cannot be written down. */
async function writeDown(
  c: Call,
  route: Route,
  status: number,
  { services, log, answerMsMax }: RouterOptions,
): Promise<void> {
  const caller = c.get('caller') ?? nobody
  const { name, role } = caller
  // A tick changes nothing that somebody wants.
  if (role === undefined || !acts(route) || route.access === 'tick') return
  // There is no who to write down, and runs tell the rest themselves: they do not wait for one more commit.
  if (caller === everybody && route.access === 'run') return
  const node = remoteNodeOf(readQuery(c.req.query()))
  const target = node === undefined ? c.req.path : `${c.req.path} at ${node.slice(0, 64)}`
  const entry = { actor: name, role, action: route.operationId, target, status }
  try {
    const stored = addAuditEntry(services.db, { ...entry, requestId: c.get('requestId') })
    await answerInTime(stored, answerMsMax)
  } catch (error) {
    log.error({ event: 'audit.lost', ...entry, error }, 'a change could not be written down')
  }
}

async function forward(c: Call, node: string, place: string, options: RouterOptions): Promise<Response> {
  const { method, headers, body, signal } = c.req.raw
  const sent = body === null ? undefined : await readBytes(c.req.raw)
  const call = { method, place, headers, body: sent, requestId: c.get('requestId'), signal }
  return options.remoteNodes.forward(node, call)
}

function send(route: Route, answer: Answer<unknown>): Response {
  const headers = new Headers(answer.headers)
  const status = answer.status ?? route.status
  if (route.reply === undefined || status === 204) return new Response(null, { status, headers })
  const type = route.replyType ?? 'application/json'
  headers.set('content-type', type)
  const text = typeof answer.body === 'string' && type !== 'application/json'
  return new Response(text ? answer.body : JSON.stringify(answer.body), { status, headers })
}

/** In tests only: the wire form must be what the schema says, nothing missing and nothing more. */
function checkReply(route: Route, answer: Answer<unknown>): void {
  if (route.reply === undefined)
    return invariant(answer.body === undefined, `${route.operationId} has no reply`)
  const wire: unknown = JSON.parse(JSON.stringify(answer.body))
  const parsed = v.parse(route.reply, wire)
  invariant(
    JSON.stringify(sortKeys(parsed)) === JSON.stringify(sortKeys(wire)),
    `${route.operationId} answers with fields that its schema does not have`,
  )
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, sortKeys(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function answerMethod(c: Call, methods: readonly string[]): Response {
  const error = new ServiceError(
    'bad_request',
    `${c.req.method} is not offered here; try ${methods.join(', ')}`,
  )
  c.set('failure', error)
  return Response.json(errorBody(error), { status: 405, headers: { allow: methods.join(', ') } })
}

function answerError(
  c: Call,
  error: ServiceError,
  route: Route | undefined,
  options: RouterOptions,
): Response {
  c.set('failure', error)
  const headers = new Headers()
  if (error.code === 'unauthorized') {
    for (const challenge of options.authenticator.challenges) headers.append('www-authenticate', challenge)
  }
  if (error.retryAfterSeconds !== undefined) headers.set('retry-after', String(error.retryAfterSeconds))
  const status = route?.errorStatus?.[error.code] ?? errorStatuses[error.code]
  return Response.json(errorBody(error), { status, headers })
}

/** One line a call, without query values and bodies, which may hold secrets. */
/** What is only read, and found, is of interest to few: clients ask every second. */
function logCall(c: Call, log: RouterOptions['log'], ms: number): void {
  const failure = c.get('failure')
  const event = {
    requestId: c.get('requestId'),
    method: c.req.method,
    path: c.req.path,
    route: c.get('route'),
    status: c.res.status,
    ms: Math.round(ms * 10) / 10,
  }
  if (failure?.code !== 'internal_error') {
    const level = failure === undefined && ['GET', 'HEAD'].includes(c.req.method) ? 'debug' : 'info'
    return log[level]({ event: 'request.answered', ...event, code: failure?.code }, 'answered')
  }
  log.error({ event: 'request.failed', ...event, code: failure.code, error: failure.cause }, 'failed')
}
