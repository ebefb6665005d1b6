import { until } from '#tests/support/until.ts'
import type { World } from './world.ts'

/**
 * Sends a request to the first API until it is answered with 200; a 404 or 400 is an answer too where it is allowed.
 */
export async function post(
  { apis }: World,
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
