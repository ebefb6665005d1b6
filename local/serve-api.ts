import { setTimeout as pause } from 'node:timers/promises'
import { appOf } from '#functions/api/app-of.ts'
import type { Deps } from '#lib/app/compose.ts'
import { listen, type Listening } from './listen.ts'

/**
 * Serves the API at the address of the settings. Closing it first waits for the drain time, so that load balancers can
 * notice that it is no longer ready.
 */
export async function serveApi(deps: Deps): Promise<Listening> {
  const [draining, closing] = [new AbortController(), new AbortController()]
  const app = appOf(deps, { draining: draining.signal, closing: closing.signal })
  const listening = await listen((request, origin) => app.fetch(request, origin), deps.config)
  deps.log.info({ event: 'service.started', url: listening.url }, 'the API listens')
  return {
    url: listening.url,
    close: async () => {
      draining.abort()
      await pause(deps.config.drainMs)
      closing.abort()
      await listening.close()
    },
  }
}
