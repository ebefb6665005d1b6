import { badRequest } from '#lib/core/errors.ts'

const pattern = /^[\x21-\x7e]{1,255}$/

/**
 * The `Idempotency-Key` of a request, scoped to the operation. A repeated request with the same key for the same DAG
 * has no further effect and gets the same answer.
 * @throws ServiceError `bad_request` for a malformed key
 */
export function idempotencyKey(headers: Headers, operationId: string): string | undefined {
  const given = headers.get('idempotency-key')
  if (given === null) return undefined
  if (!pattern.test(given)) throw badRequest('Idempotency-Key: must be 1 to 255 visible ASCII characters')
  return `${operationId}:${given}`
}
