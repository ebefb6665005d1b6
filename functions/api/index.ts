import { Hono } from 'hono'
import { createAuthenticator, type Authenticator, type AuthSettings } from '#lib/api/auth/auth.ts'
import { createHostCheck, type HostCheck } from '#lib/api/requests/check-host.ts'
import { asServiceError, errorAnswer } from '#lib/api/answers/error-body.ts'
import { createEventStreams } from '#lib/api/streams/event-stream.ts'
import { guardHeaders } from '#lib/api/requests/guard-headers.ts'
import { createSharedPoll } from '#lib/api/live/shared-poll.ts'
import { createMetrics } from '#lib/api/metrics/metrics.ts'
import { createLoginNotes } from '#lib/api/auth/note-login-failure.ts'
import { openApiDocument } from '#lib/api/documents/openapi.ts'
import { alive, ready } from '#lib/api/requests/probes.ts'
import { presentSession } from '#lib/api/present/session.ts'
import { createRemoteNodes, type RemoteNodes } from '#lib/api/remote-nodes/remote-nodes.ts'
import { createResources } from '#lib/api/metrics/resources.ts'
import { createRouter } from '#lib/api/router.ts'
import { createOverview } from '#lib/api/answers/overview.ts'
import { createDagStats } from '#lib/api/answers/dag-stats.ts'
import { createRunDetails } from '#lib/api/answers/run-details.ts'
import type { Deployment, Services } from '#lib/api/services.ts'
import { createSignIn } from '#lib/api/auth/sign-in.ts'
import { createSlots } from '#lib/api/requests/share-slots.ts'
import { limits } from '#lib/core/limits.ts'
import type { LabelSet } from '#lib/core/status.ts'
import { currentDefaults } from '#lib/dags/current-defaults.ts'
import type { DagDefaults } from '#lib/dags/dag-columns.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { createRunWatch } from '#lib/runs/read/run-watch.ts'
import type { Log } from '#lib/telemetry/log.ts'
import { createCallerWatch } from '#lib/api/auth/watch-callers.ts'
import type { WebPage } from '#lib/api/web-page/web-page.ts'
import { runTick } from '#lib/tick/run-tick.ts'
import { routesV1 } from './routes-v1.ts'
import { routes } from './routes.ts'

export const basePath = '/api/v2'
const legacyBasePath = '/api/v1'
const docsPath = '/api/docs'

/** Dependencies of the API, created by lib/app/compose.ts. */
export interface ApiDeps extends Pick<Services, 'db' | 'logs'> {
  /** Used if no defaults are stored in the database. */
  readonly defaults: DagDefaults
  /** Called before each tick. */
  readonly beforeTick?: () => Promise<void>
  readonly auth: AuthSettings
  /** Accepted values of the `Host` header besides loopback names; default: none. */
  readonly allowedHosts?: readonly string[]
  readonly log: Log
  readonly leaseMs: number
  readonly version: string
  readonly buildDate: string
  /** Default: the labels in the API document. */
  readonly labels?: LabelSet
  /** Aborted shortly before the process ends, so that event streams end and clients reconnect to another instance. */
  readonly closing?: AbortSignal
  /** Aborted when the process should get no more requests: /readyz fails, but requests are still served. */
  readonly draining?: AbortSignal
  /** Default: no remote nodes. */
  readonly remoteNodes?: RemoteNodes
  /** Time limit of a request, milliseconds. */
  readonly answerMsMax?: number
  /** The web page; absent: only the API is served. */
  readonly page?: WebPage
  /** Absent: the deployment endpoints return empty lists. */
  readonly deployment?: Deployment
  /** For tests: validate every response against the schema of its route. */
  readonly checkResponses?: boolean
}

/** Creates the app: `createApp(deps).fetch` serves a request on any runtime. Between requests it keeps only caches. */
export function createApp(deps: ApiDeps): Hono {
  const { db, log, version, buildDate } = deps
  const { auth, checkResponses = false, remoteNodes = createRemoteNodes([]) } = deps
  const metrics = createMetrics({ version, buildDate })
  const authenticator = createAuthenticator(
    auth,
    db,
    createLoginNotes(db, { log, now: () => Date.now(), metrics }),
  )
  const services = createServices(deps, { metrics, authenticator, remoteNodes })
  const { answerMsMax = limits.answerMsMax } = deps
  const checkHost = createHostCheck({
    allowedHosts: deps.allowedHosts ?? [],
    hasCredentials: auth.basic !== undefined || auth.token !== undefined,
  })
  const watchCaller = createCallerWatch(db)
  const streamEvents = createEventStreams(deps.closing ?? new AbortController().signal, watchCaller)
  const takeLogReader = createSlots('log readers', {
    max: limits.logReadersMax,
    perCallerMax: limits.logReadersPerCallerMax,
  })
  const options = {
    basePath,
    services,
    authenticator,
    checkHost,
    streamEvents,
    watchCaller,
    remoteNodes,
    takeLogReader,
    log,
    checkResponses,
    answerMsMax,
  }
  const current = createRouter(routes, options)
  const legacy = createRouter(routesV1, {
    ...options,
    basePath: legacyBasePath,
    remoteNodes: createRemoteNodes([]),
  })
  return mount({ current, legacy }, { ...deps, answerMsMax, checkHost })
}

const emptyDeployment: Deployment = {
  examine: () => Promise.resolve([]),
  settings: () => Promise.resolve([]),
}

/** Creates the services that endpoints use. */
function createServices(
  {
    db,
    logs,
    log,
    leaseMs,
    defaults,
    version,
    labels = 'documented',
    beforeTick,
    deployment = emptyDeployment,
  }: ApiDeps,
  {
    metrics,
    authenticator,
    remoteNodes,
  }: Pick<Services, 'metrics'> & { readonly authenticator: Authenticator; readonly remoteNodes: RemoteNodes },
): Services {
  const now = () => Date.now()
  const readDefaults = () => currentDefaults(db, defaults)
  const definitions = createDefinitionReader()
  const view = { authenticator, version, zone: defaults.zone, nodes: remoteNodes.names }
  let document: Readonly<Record<string, unknown>> | undefined
  return {
    db,
    logs,
    labels,
    definitions,
    watch: createRunWatch(db, definitions),
    runDetails: createRunDetails({ db, logs, labels, definitions }),
    dagStats: createDagStats(db),
    overview: createOverview({ db, now, defaults: readDefaults }),
    sharedPoll: createSharedPoll(now),
    metrics,
    resources: createResources(now),
    openApi: () => (document ??= openApiDocument(routes, { version, basePath })),
    about: { version, startedAt: now() },
    now,
    defaults: readDefaults,
    takeLargeOutputs: createSlots('answers with large outputs', {
      max: limits.largeOutputsSentMax,
      perCallerMax: limits.largeOutputsPerCallerMax,
    }),
    takeLogSearch: createSlots('searches of logs', {
      max: limits.logSearchesMax,
      perCallerMax: limits.logSearchesPerCallerMax,
    }),
    signIn: createSignIn(db, authenticator),
    showSession: (caller) => presentSession(caller, view),
    deployment,
    checkNodes: () => remoteNodes.check(),
    tick: async () => {
      await beforeTick?.()
      return await runTick({ db, log, logs, definitions, leaseMs, zone: defaults.zone })
    },
  }
}

/** Mounts both versions of the API, the probes, the API reference and the web page. */
function mount(
  { current, legacy }: Readonly<Record<'current' | 'legacy', ReturnType<typeof createRouter>>>,
  deps: Pick<ApiDeps, 'db' | 'draining' | 'page'> & {
    readonly answerMsMax: number
    readonly checkHost: HostCheck
  },
): Hono {
  const { db, answerMsMax, checkHost, page } = deps
  const draining = deps.draining ?? new AbortController().signal
  const app = new Hono<{ Bindings: { address?: string } }>()
  app.get('/livez', alive)
  app.get('/readyz', () => ready({ db, draining, answerMsMax }))
  app.onError((error) => errorAnswer(asServiceError(error)))
  app.get(docsPath, (c) => {
    checkHost(c.req.raw)
    return new Response(null, { status: 302, headers: { ...guardHeaders, location: '../reference' } })
  })
  app.all(`${legacyBasePath}/*`, (c) => legacy.fetch(c.req.raw, c.env))
  if (page !== undefined) {
    app.get('*', async (c, next) => {
      const response = await page(c.req.raw)
      if (response === undefined) return next()
      checkHost(c.req.raw)
      return response
    })
  }
  app.all('*', (c) => current.fetch(c.req.raw, c.env))
  return app as unknown as Hono
}
