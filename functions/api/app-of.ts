import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { createRemoteNodes } from '#lib/api/remote-nodes/remote-nodes.ts'
import { createWebPage } from '#lib/api/web-page/web-page.ts'
import { applyingOnce } from '#lib/app/apply-settings.ts'
import type { Parts } from '#lib/app/compose.ts'
import { readRemoteNodes } from '#lib/config/remote-nodes.ts'
import { deploymentOf } from './deployment-of.ts'
import { createApp, type ApiParts } from './index.ts'

/**
 * The app, configured by the settings.
 * @param ending signals for the end of the process that serves it
 */
export function appOf(parts: Parts, ending: Pick<ApiParts, 'draining' | 'closing'> = {}): Hono {
  const { config, db, logs, log, defaults } = parts
  // The build writes its date into the copy that lies beside a bundle.
  const { version, buildDate = '' } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string; buildDate?: string }
  const page = createWebPage(new URL('../../web/built/', import.meta.url))
  return createApp({
    db,
    logs,
    log,
    defaults,
    // An API is often started without the settings of the ticks.
    beforeTick: applyingOnce(parts, 'given'),
    auth: config.auth,
    allowedHosts: config.allowedHosts,
    labels: config.statusLabels,
    leaseMs: config.leaseMs,
    remoteNodes: createRemoteNodes(readRemoteNodes(config.remoteNodesFile)),
    deployment: deploymentOf(parts),
    version,
    buildDate,
    ...(page !== undefined && { page }),
    ...ending,
  })
}
