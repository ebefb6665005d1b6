import { randomUUID } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { badRequest, ServiceError } from '#lib/core/errors.ts'
import type { Log } from '#lib/telemetry/log.ts'
import { answerInTime } from '#lib/api/requests/answer-in-time.ts'
import type { AuditChange } from '#lib/audit/audit-entry.ts'
import { mutates, auditCall } from './audit-call.ts'
import { checkAccess, lowered, nobody, type Authenticator, type Caller } from '#lib/api/auth/auth.ts'
import type { HostCheck } from '#lib/api/requests/check-host.ts'
import { checkPath } from '#lib/api/requests/check-path.ts'
import { refuseCrossSite } from '#lib/api/requests/cross-site.ts'
import type { Access } from './auth/access.ts'
import { Batched, SignedIn, type MadeCall, type Route } from './define-route.ts'
import { isSecure, ownHeader, requireOwnHeader, sessionToken } from '#lib/api/auth/session-cookie.ts'
import { asServiceError, errorBody, errorStatuses } from '#lib/api/answers/error-body.ts'
import { roleHeader } from '#lib/api/remote-nodes/forward-call.ts'
import { EventStream, type StreamEvents } from '#lib/api/streams/event-stream.ts'
import { guardHeaders } from '#lib/api/requests/guard-headers.ts'
import { formOf } from '#lib/api/answers/json-answer.ts'
import { LogText } from '#lib/api/logs/log-text.ts'
import { parseInput, readBody, readBytes, readQuery } from '#lib/api/requests/read-input.ts'
import { pathAtNode, remoteNodeOf, type RemoteNodes } from '#lib/api/remote-nodes/remote-nodes.ts'
import { sendAnswer, type SendOptions } from '#lib/api/answers/send-answer.ts'
import { Rows } from '#lib/api/answers/rows.ts'
import { Streamed } from '#lib/api/answers/streamed.ts'
import type { Services } from './services.ts'
import { whileAllowed, type WatchCaller } from '#lib/api/auth/watch-callers.ts'

export interface RouterOptions extends SendOptions {
  readonly basePath: string
  readonly services: Services
  readonly authenticator: Authenticator
  readonly checkHost: HostCheck
  readonly streamEvents: StreamEvents
  readonly watchCaller: WatchCaller
  readonly remoteNodes: RemoteNodes
  readonly log: Pick<Log, 'debug' | 'info' | 'error'>
}

interface CallEnv {
  /** What the server knows of the connection: where the call comes from. */
  Bindings: { address?: string }
  Variables: {
    requestId: string
    failure: ServiceError | undefined
    route: string
    caller: Caller | undefined
    /** Of a batch call. */
    made: readonly MadeCall[] | undefined
    changes: readonly AuditChange[] | undefined
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
  app.use(async (c, next) => {
    checkPath(pathOf(c.req.raw.url))
    await next()
  })
  app.onError((error, c) => answerError(c, asServiceError(error), undefined, options))
  const allowed = new Map<string, string[]>()
  for (const route of routes) {
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const routePath = options.basePath + path.replace(/\{(\w+)\}/g, ':$1')
      allowed.set(routePath, [...(allowed.get(routePath) ?? []), route.method.toUpperCase()])
      app.on(route.method.toUpperCase(), routePath, async (c) => {
        c.set('route', `${route.method.toUpperCase()} ${path}`)
        const answer = await answerCall(c, route, path, options).catch((error: unknown) =>
          answerError(c, asServiceError(error), route, options),
        )
        if (mutates(route)) await audit(c, route, answer.status, options)
        return answer
      })
    }
  }
  for (const [routePath, methods] of allowed) {
    app.all(routePath, async (c) => {
      await authorize(c, 'read', options)
      return answerMethod(c, methods)
    })
  }
  app.notFound(async (c) => {
    await authorize(c, 'read', options)
    throw new ServiceError('not_found', 'no such endpoint')
  })
  return app
}

/**
 * Finds out who calls, and whether they may.
 * @throws ServiceError `unauthorized`, `forbidden`
 */
async function authorize(c: Call, access: Access, options: RouterOptions): Promise<Caller> {
  // Probes come with the address of a pod as their host; a public route only reads, and what it reads is not a secret.
  if (access === 'public') return nobody
  options.checkHost(c.req.raw)
  const authorization = c.req.header('authorization')
  const token = authorization === undefined ? sessionToken(c.req.raw) : undefined
  const identifying = options.authenticator.identify(authorization, addressOf(c), token)
  const identified = await answerInTime(identifying, options.answerMsMax).catch((error: unknown) => {
    if (access === 'session' && error instanceof ServiceError && error.code === 'unauthorized') return nobody
    throw error
  })
  const caller = lowered(identified, c.req.header(roleHeader))
  c.set('caller', caller)
  checkAccess(caller, access)
  return caller
}

async function answerCall(c: Call, route: Route, path: string, options: RouterOptions): Promise<Response> {
  if (mutates(route)) {
    refuseCrossSite(c.req.raw)
    requireOwnHeader(c.req.raw)
  }
  const query = readQuery(c.req.query())
  const node = remoteNodeOf(query)
  // A call to a node uses the node's credential, so it needs a credential of the caller.
  const access = node !== undefined && route.access === 'public' ? 'read' : route.access
  if (node !== undefined && access === 'session')
    throw badRequest('remoteNode: a session is valid on this node only')
  const caller = await authorize(c, access, options)
  if (mutates(route) && c.req.method === 'HEAD') return answerMethod(c, [route.method.toUpperCase()])
  const params = route.params && parseInput(route.params, c.req.param())
  if (node !== undefined) {
    const target = pathAtNode(path, Object(params) as Record<string, unknown>, new URL(c.req.url).search)
    return forward(c, { node, target, caller }, options)
  }
  const input = {
    params,
    query: route.query && parseInput(route.query, query),
    body: route.body && parseInput(route.body, await readBody(c.req.raw, route.body)),
    headers: c.req.raw.headers,
    caller,
    origin: { address: addressOf(c), isSecure: isSecure(c.req.raw) },
    noteChanges: (changes: readonly AuditChange[]) => c.set('changes', changes),
  }
  const outcome = await answerInTime(route.handle(input, options.services), options.answerMsMax)
  if (outcome instanceof SignedIn) c.set('caller', outcome.caller)
  if (outcome instanceof Batched) c.set('made', outcome.calls)
  const isStreamed = [EventStream, LogText, Streamed].some((kind) => outcome instanceof kind)
  if (isStreamed && c.req.method === 'HEAD') return new Response(null)
  const sharer = sharerOf(c, caller)
  if (outcome instanceof EventStream) return options.streamEvents(outcome, { caller, sharer })
  const form = formOf(c.req.raw, addressOf(c))
  const send = (): Promise<Response> => sendAnswer(route, outcome, { form, sharer }, options)
  const lasts = isStreamed || (outcome instanceof Rows && !Array.isArray(outcome.pages))
  // Only rights of users and keys can be lost; a watched answer is copied piece by piece.
  const isWatched = lasts && caller.basis !== undefined
  return await (isWatched ? whileAllowed(options.watchCaller(caller), send) : send())
}

/** Of an absolute URL: not decoded, without the query. */
const pathOf = (url: string): string => /^[^:]+:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? ''

/** Empty for calls without a server: tests, and platforms that do not pass the address on. */
const addressOf = (c: Call): string => (c.env as CallEnv['Bindings'] | undefined)?.address ?? ''

/** The caller for per-caller limits: a credential, or an address when authentication is off. */
function sharerOf(c: Call, caller: Caller): string | undefined {
  if (caller.isAnonymous !== true) return `credential ${caller.name}`
  const address = addressOf(c)
  return address === '' ? undefined : `address ${address}`
}

async function audit(c: Call, route: Route, status: number, options: RouterOptions): Promise<void> {
  const { services, log, basePath } = options
  const call = {
    caller: c.get('caller') ?? nobody,
    address: addressOf(c),
    node: remoteNodeOf(readQuery(c.req.query())),
    requestId: c.get('requestId'),
    changes: c.get('changes') ?? [],
  }
  const made = c.get('made')
  if (made === undefined)
    return await auditCall(services.db, { ...call, route, status, path: c.req.path }, options)
  for (const { route, path, failure } of made) {
    if (failure?.code !== 'internal_error') continue
    const event = { requestId: call.requestId, operation: route.operationId, path, error: failure.cause }
    log.error({ event: 'request.failed', ...event }, 'failed')
  }
  const entries = made.map((one) => ({ ...call, ...one, path: basePath + one.path }))
  await Promise.all(entries.map((entry) => auditCall(services.db, entry, options)))
}

async function forward(
  c: Call,
  { node, target, caller }: { readonly node: string; readonly target: string; readonly caller: Caller },
  { remoteNodes, watchCaller }: RouterOptions,
): Promise<Response> {
  const { method, headers, body } = c.req.raw
  const sent = body === null ? undefined : await readBytes(c.req.raw)
  const call = { method, target, headers, body: sent, requestId: c.get('requestId'), role: caller.role }
  return await whileAllowed(watchCaller(caller), (lost) =>
    remoteNodes.forward(node, { ...call, signal: AbortSignal.any([c.req.raw.signal, lost]) }),
  )
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
    for (const challenge of challengesFor(c, options)) headers.append('www-authenticate', challenge)
  }
  if (error.retryAfterSeconds !== undefined) headers.set('retry-after', String(error.retryAfterSeconds))
  const status = route?.errorStatus?.[error.code] ?? errorStatuses[error.code]
  return Response.json(errorBody(error), { status, headers })
}

/** A page shows its own form: with Basic, a browser would ask for a password itself, also for a call of a script. */
function challengesFor(c: Call, { authenticator }: RouterOptions): readonly string[] {
  const isScript = c.req.header(ownHeader) !== undefined || c.req.header('sec-fetch-mode') === 'cors'
  return authenticator.challenges.filter((challenge) => !isScript || !challenge.startsWith('Basic'))
}

/**
 * One line a call, without query values and bodies, which may hold secrets. What is only read, and found, is logged at
 * `debug`: clients ask every second.
 */
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
