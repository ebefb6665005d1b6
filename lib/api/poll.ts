import { setTimeout as sleep } from 'node:timers/promises'

const leastMs = 250
const mostMs = 2_000

/**
 * Looks again and again until the signal: soon after something has happened, less and less often while nothing does.
 * @param look tells, once what it found has been taken, whether something had happened
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
