import { Hono } from 'hono'
import { createAuthenticator, type AuthSettings } from '#lib/api/auth.ts'
import { docsPage } from '#lib/api/docs-page/docs-page.ts'
import { createEventStreams } from '#lib/api/event-stream.ts'
import { createMetrics } from '#lib/api/metrics.ts'
import { openApiDocument } from '#lib/api/openapi.ts'
import { alive, ready } from '#lib/api/probes.ts'
import { createRemoteNodes, type RemoteNodes } from '#lib/api/remote-nodes.ts'
import { createRouter } from '#lib/api/router.ts'
import { createRunDetails } from '#lib/api/run-details.ts'
import type { Services } from '#lib/api/services.ts'
import { limits } from '#lib/core/limits.ts'
import type { LabelSet } from '#lib/core/status.ts'
import { createDefinitionReader } from '#lib/runs/read-definition.ts'
import { createRunWatch } from '#lib/runs/run-watch.ts'
import type { Log } from '#lib/telemetry/log.ts'
import { runTick } from '#lib/tick/run-tick.ts'
import { routesV1 } from './routes-v1.ts'
import { routes } from './routes.ts'

export const basePath = '/api/v2'
const legacyBasePath = '/api/v1'
const docsPath = '/api/docs'

/** Dependencies of the API, made by lib/app/compose.ts. */
export interface ApiParts extends Pick<Services, 'db' | 'logs' | 'defaults'> {
  readonly auth: AuthSettings
  readonly log: Log
  readonly leaseMs: number
  readonly version: string
  readonly buildDate: string
  /** Default: those of the API document. */
  readonly labels?: LabelSet
  /** Aborted shortly before the process ends: event streams end, and clients reconnect to another instance. */
  readonly closing?: AbortSignal
  /** Aborted when the process should get no more calls; it still answers those that arrive. */
  readonly draining?: AbortSignal
  /** Absent: no remote nodes are configured. */
  readonly remoteNodes?: RemoteNodes
  /** Deadline of a call, milliseconds. */
  readonly answerMsMax?: number
  /** For tests: check every answer against the schema of its route. */
  readonly checkReplies?: boolean
}

/** Builds the app: `createApp(parts).fetch` serves a request on any runtime. Between two calls it keeps only caches. */
export function createApp(parts: ApiParts): Hono {
  const now = () => Date.now()
  const { db, logs, log, leaseMs, defaults, version, buildDate, labels = 'documented' } = parts
  const definitions = createDefinitionReader()
  let document: Readonly<Record<string, unknown>> | undefined
  const services: Services = {
    db,
    logs,
    labels,
    definitions,
    watch: createRunWatch(db, definitions),
    runDetails: createRunDetails({ db, logs, labels, definitions }),
    metrics: createMetrics({ version, buildDate }),
    openApi: () => (document ??= openApiDocument(routes, { version, basePath })),
    about: { version, startedAt: now() },
    now,
    defaults,
    tick: () => runTick({ db, log, logs, definitions, leaseMs, zone: defaults.zone }),
  }
  const { auth, checkReplies = false, remoteNodes = createRemoteNodes([]) } = parts
  const { answerMsMax = limits.answerMsMax } = parts
  const authenticator = createAuthenticator(auth, db)
  const streamEvents = createEventStreams(parts.closing ?? new AbortController().signal)
  const options = {
    basePath,
    services,
    authenticator,
    streamEvents,
    remoteNodes,
    log,
    checkReplies,
    answerMsMax,
  }
  const current = createRouter(routes, options)
  const legacy = createRouter(routesV1, {
    ...options,
    basePath: legacyBasePath,
    remoteNodes: createRemoteNodes([]),
  })
  const draining = parts.draining ?? new AbortController().signal
  const app = new Hono<{ Bindings: { address?: string } }>()
  app.get('/livez', alive)
  app.get('/readyz', () => ready({ db, draining, answerMsMax }))
  app.get(docsPath, async (_c, next) => (await docsPage('')) ?? next())
  app.get(`${docsPath}/`, (c) => c.redirect('../docs'))
  app.get(`${docsPath}/:file`, async (c, next) => (await docsPage(c.req.param('file'))) ?? next())
  app.all(`${legacyBasePath}/*`, (c) => legacy.fetch(c.req.raw, c.env))
  app.all('*', (c) => current.fetch(c.req.raw, c.env))
  return app as unknown as Hono
}
