import { badRequest } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'

/**
 * Bounds what the texts of a step, or the inputs of a run, read and make together: a small text can name a large value
 * a hundred thousand times.
 */
export class Effort {
  #left = limits.expansionLengthMax

  /** @throws ServiceError `bad_request` when it is used up */
  spend(characters: number): void {
    this.#left -= characters
    if (this.#left >= 0) return
    throw badRequest(
      `the references in a step read more than ${limits.expansionLengthMax} characters of values`,
    )
  }
}
