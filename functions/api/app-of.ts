import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { createRemoteNodes } from '#lib/api/remote-nodes/remote-nodes.ts'
import { createWebPage } from '#lib/api/web-page/web-page.ts'
import { applyingOnce } from '#lib/app/apply-settings.ts'
import type { Deps } from '#lib/app/compose.ts'
import { readRemoteNodes } from '#lib/config/remote-nodes.ts'
import { deploymentOf } from './deployment-of.ts'
import { createApp, type ApiDeps } from './index.ts'

/**
 * Creates the app from the settings.
 * @param ending signals that the process is about to end
 */
export function appOf(deps: Deps, ending: Pick<ApiDeps, 'draining' | 'closing'> = {}): Hono {
  const { config, db, logs, log, defaults } = deps
  // The build adds its date to the copy of package.json beside a bundle.
  const { version, buildDate = '' } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string; buildDate?: string }
  const page = createWebPage(new URL('../../web/built/', import.meta.url))
  return createApp({
    db,
    logs,
    log,
    defaults,
    // `given` only: an API is often started without the settings of the tick.
    beforeTick: applyingOnce(deps, 'given'),
    auth: config.auth,
    allowedHosts: config.allowedHosts,
    labels: config.statusLabels,
    leaseMs: config.leaseMs,
    remoteNodes: createRemoteNodes(readRemoteNodes(config.remoteNodesFile)),
    deployment: deploymentOf(deps),
    version,
    buildDate,
    ...(page !== undefined && { page }),
    ...ending,
  })
}
