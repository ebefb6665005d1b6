import { appOf } from '#functions/api/app-of.ts'
import type { Parts } from '#lib/app/compose.ts'
import { listen, type Listening } from './listen.ts'

/** Serves the API at the address of the settings. */
export async function serveApi(parts: Parts): Promise<Listening> {
  const closing = new AbortController()
  const app = appOf(parts, closing.signal)
  const listening = await listen((request, origin) => app.fetch(request, origin), parts.config)
  parts.log.info({ event: 'service.started', url: listening.url }, 'the API listens')
  return {
    url: listening.url,
    close: () => {
      closing.abort()
      return listening.close()
    },
  }
}
