import { setTimeout as sleep } from 'node:timers/promises'
import { passesByRetry } from './errors.ts'

const sendingsMax = 5
/** Milliseconds; random below this, so that two that met do not meet again. */
const pauseMsMax = 20

/**
 * Sends a statement, and again if the server rolled it back because of a deadlock or a serialisation failure; a mere
 * read may deadlock too, with a migration. Nothing else is sent again: after a time limit or a lost connection it may
 * have been carried out.
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
