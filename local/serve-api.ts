import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createApp } from '#functions/api/index.ts'
import { createRemoteNodes } from '#lib/api/remote-nodes.ts'
import type { Parts } from '#lib/app/compose.ts'
import { readRemoteNodes } from '#lib/config/remote-nodes.ts'
import { listen, type Listening } from './listen.ts'

/**
 * Serves the API at the address of the settings. To close it takes the time to drain: whoever sends calls
 * here must first see that it is not ready any more.
 */
export async function serveApi({ config, db, logs, log, defaults }: Parts): Promise<Listening> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const remoteNodes = createRemoteNodes(readRemoteNodes(config.remoteNodesFile))
  const [draining, closing] = [new AbortController(), new AbortController()]
  const app = createApp({
    db,
    logs,
    log,
    defaults,
    auth: config.auth,
    leaseMs: config.leaseMs,
    remoteNodes,
    version,
    buildDate: '',
    draining: draining.signal,
    closing: closing.signal,
  })
  const listening = await listen((request, origin) => app.fetch(request, origin), config)
  log.info({ event: 'service.started', url: listening.url }, 'the API listens')
  return {
    url: listening.url,
    close: async () => {
      draining.abort()
      await pause(config.drainMs)
      closing.abort()
      await listening.close()
    },
  }
}
