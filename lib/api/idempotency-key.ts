import { badRequest } from '#lib/core/errors.ts'

const pattern = /^[\x21-\x7e]{1,255}$/

/**
 * The `Idempotency-Key` of a request: sent again with the same key, the same endpoint acts once on a DAG and answers
 * the same.
 * @throws ServiceError `bad_request` for a key that is none
 */
export function idempotencyKey(headers: Headers, operationId: string): string | undefined {
  const given = headers.get('idempotency-key')
  if (given === null) return undefined
  if (!pattern.test(given)) throw badRequest('Idempotency-Key: must be 1 to 255 visible ASCII characters')
  return `${operationId}:${given}`
}
