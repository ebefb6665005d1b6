import { ServiceError, type ErrorCode } from '#lib/core/errors.ts'
import { isUnavailable, passesByRetry } from '#lib/db/errors.ts'
import { guardHeaders } from '#lib/api/requests/guard-headers.ts'

/** The HTTP status of each code. A route may state exceptions: retry answers 400 for `already_running`. */
export const errorStatuses: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  not_running: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  already_exists: 409,
  already_running: 409,
  read_only: 409,
  internal_error: 500,
  bad_gateway: 502,
  remote_node_error: 502,
  service_unavailable: 503,
}

export interface ErrorBody {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * What the caller sees of a failure. Anything that is not a {@link ServiceError} is a bug of ours and is never shown.
 */
export function errorBody(error: ServiceError): ErrorBody {
  const body = { code: error.code, message: error.message }
  return error.details === undefined ? body : { ...body, details: error.details }
}

/** The answer to a request that reaches no route. */
export function errorAnswer(error: ServiceError): Response {
  const headers = new Headers(guardHeaders)
  if (error.retryAfterSeconds !== undefined) headers.set('retry-after', String(error.retryAfterSeconds))
  return Response.json(errorBody(error), { status: errorStatuses[error.code], headers })
}

/** Converts a thrown value to a failure that may be shown. The original is kept as its cause, for the log. */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (isUnavailable(error)) {
    return new ServiceError('service_unavailable', 'the database cannot be reached; try again', {
      cause: error,
    })
  }
  if (passesByRetry(error)) {
    return new ServiceError('service_unavailable', 'too much was changed at the same time; try again', {
      cause: error,
    })
  }
  return new ServiceError('internal_error', 'an unexpected error occurred', { cause: error })
}
