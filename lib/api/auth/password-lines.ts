import { ServiceError } from '#lib/core/errors.ts'
import type { limits } from '#lib/core/limits.ts'

/** Runs work of one kind, some at a time; the rest waits in line. */
export interface Line {
  /**
   * @param address work of one address takes only a part of the line
   * @throws ServiceError `service_unavailable` at once when the line, or the part of the address, is full
   */
  readonly run: <Result>(address: string, work: () => Promise<Result>) => Promise<Result>
}

export function createLine({ most, waitingMax, perAddressMax }: typeof limits.passwordChecks): Line {
  let running = 0
  const waiting: { readonly address: string; readonly begin: () => void }[] = []

  async function enter(address: string): Promise<void> {
    if (running < most) {
      running += 1
      return
    }
    const own = waiting.filter((one) => one.address === address).length
    if (waiting.length >= waitingMax || own >= perAddressMax) {
      throw new ServiceError('service_unavailable', 'too many passwords are waiting to be checked; try again')
    }
    await new Promise<void>((resolve) => {
      waiting.push({ address, begin: resolve })
    })
  }

  return {
    run: async (address, work) => {
      await enter(address)
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        // The slot is handed over directly: if it were freed first, a new caller could take it as well.
        if (next === undefined) running -= 1
        else next.begin()
      }
    },
  }
}
