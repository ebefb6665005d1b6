import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from './errors.ts'

const firstPauseMs = 50
const pauseMsMax = 1_000

/**
 * Repeats an idempotent operation while the database cannot be reached.
 * @param isWanted called before each retry; when it returns false, the last error is thrown
 */
export async function whileUnreachable<T>(act: () => Promise<T>, isWanted: () => boolean): Promise<T> {
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, pauseMsMax)) {
    try {
      return await act()
    } catch (error) {
      if (!isUnavailable(error) || !isWanted()) throw error
      await sleep(pause)
    }
  }
}
