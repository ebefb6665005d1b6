/** The SQLSTATE of Postgres, or the error code of the driver or the system, of an error or its causes. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : undefined
}

/** Deadlock or serialisation failure: the same statement can succeed when sent again. */
export function passesByRetry(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40P01' || code === '40001'
}

const lost = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/**
 * True when the database is unreachable, starting, shutting down, a standby, out of a resource (memory, disk,
 * connections), or too slow. The statement may or may not have been executed; callers may retry it if it is idempotent.
 */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined) return false
  return lost.has(code) || /^(08|53)/.test(code) || /^(57P0[1-5]|57014|55P03|25006|58030)$/.test(code)
}

/** True when a schema, table, column or function is missing: migrations are pending. */
export function isUndefined(error: unknown): boolean {
  return ['3F000', '42P01', '42703', '42883'].includes(codeOf(error) ?? '')
}
