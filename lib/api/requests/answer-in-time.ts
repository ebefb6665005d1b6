import { ServiceError } from '#lib/core/errors.ts'

/**
 * Bounds how long a caller waits for a database that does not answer, or for a connection of the pool. The work may
 * still complete: as after a lost connection, the caller repeats the request with its run id or idempotency key.
 * @throws ServiceError `service_unavailable` after `ms`
 */
export async function answerInTime<Result>(work: Promise<Result> | Result, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ServiceError('service_unavailable', 'the database did not answer in time; try again'))
    }, ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
