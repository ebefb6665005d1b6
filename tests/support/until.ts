import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks again and again until the answer is something else than undefined or false.
 * @throws Error with `what` after `withinMs`
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
    if (Date.now() > end) throw new Error(`waited ${withinMs} ms in vain: ${what}`)
    await sleep(everyMs)
  }
}
