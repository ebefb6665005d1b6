/** All error codes that a caller may see. lib/api/answers/error-body.ts maps them to HTTP statuses. */
export const errorCodes = [
  'forbidden',
  'bad_request',
  'not_found',
  'internal_error',
  'unauthorized',
  'bad_gateway',
  'remote_node_error',
  'already_running',
  'not_running',
  'already_exists',
  'read_only',
  'service_unavailable',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/**
 * A failure that is shown to the caller. Anything else that is thrown is a bug of ours: it answers 500, without
 * details.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined
  /** After how many seconds a retry makes sense. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: Readonly<Record<string, unknown>>
      cause?: unknown
      retryAfterSeconds?: number
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds ?? (code === 'service_unavailable' ? 2 : undefined)
  }
}

export function notFound(thing: string, name: string): ServiceError {
  return new ServiceError('not_found', `${thing} ${JSON.stringify(name)} not found`)
}

export function badRequest(message: string, details?: Readonly<Record<string, unknown>>): ServiceError {
  return new ServiceError('bad_request', message, details === undefined ? {} : { details })
}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/**
 * Asserts what only a bug of ours can violate.
 * @throws Error that answers 500; it is logged in full and never shown
 */
export function invariant(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${why}`)
}
