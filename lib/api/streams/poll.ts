import { setTimeout as sleep } from 'node:timers/promises'

const leastMs = 250
const mostMs = 2_000

/**
 * Polls until the signal is aborted: 250 ms after something changed, then less and less often, at most every 2 s.
 * @param look returns what it found; `hasChanged` is asked after the consumer has taken it
 */
export async function* poll<Found>(
  look: () => Promise<{ readonly found: Found; readonly hasChanged: () => boolean }>,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  for (let pause = leastMs; !signal.aborted;) {
    const { found, hasChanged } = await look()
    yield found
    pause = hasChanged() ? leastMs : Math.min(mostMs, pause * 1.5)
    await sleep(pause, undefined, { signal }).catch(() => undefined)
  }
}
