import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls until the result is neither undefined nor false.
 * @throws Error that names `what` after `withinMs` milliseconds
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { withinMs = 20_000, everyMs = 20 }: { withinMs?: number; everyMs?: number } = {},
): Promise<Exclude<T, undefined | false>> {
  const end = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(everyMs)
  }
}
