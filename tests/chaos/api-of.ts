import { until } from '#tests/support/until.ts'
import type { Deployment } from './deployment.ts'

/**
 * Repeats a request to the first API until the response has an allowed status.
 */
export async function post(
  { apis }: Deployment,
  path: string,
  body: object = {},
  allowed: readonly number[] = [200],
): Promise<void> {
  await until(
    `POST ${path} is answered`,
    async () => {
      const url = apis[0]?.url
      if (url === undefined) return false
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(`${url}/api/v2${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      }).catch(() => undefined)
      await reply?.text().catch(() => undefined)
      return reply !== undefined && allowed.includes(reply.status)
    },
    { withinMs: 60_000, everyMs: 50 },
  )
}
