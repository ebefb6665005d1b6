import { setTimeout as sleep } from 'node:timers/promises'
import { passesByRetry } from './errors.ts'

const sendingsMax = 5
/** Upper bound of the random pause, milliseconds, so that two colliding statements do not collide again. */
const pauseMsMax = 20

/**
 * Sends a statement, and resends it if the server rolled it back because of a deadlock or a serialisation failure. Even
 * a read can deadlock, with a migration. Other failures are not retried: after a timeout or a lost connection the
 * statement may have been executed.
 */
export async function sentAgain<Result>(send: () => PromiseLike<Result>): Promise<Result> {
  for (let sendings = 1; ; sendings++) {
    try {
      return await send()
    } catch (error) {
      if (sendings === sendingsMax || !passesByRetry(error)) throw error
      await sleep(Math.random() * pauseMsMax * sendings)
    }
  }
}
