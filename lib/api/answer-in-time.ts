import { ServiceError } from '#lib/core/errors.ts'

/**
 * A caller never waits for a database that does not answer, nor for a place in its pool. What was asked may still
 * happen: as after a lost connection, it is asked again by its run id or its idempotency key.
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
