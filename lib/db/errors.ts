/** The five-letter code of Postgres, or the word of the driver, wherever a wrapper has put it. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : undefined
}

/** Deadlock or serialisation failure: the same statement succeeds when it is sent again. */
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
 * True when the database cannot be reached now, is starting, is going down, is a standby, has too little of something
 * (memory, disk, connections), or took too long: what was asked may or may not have happened, and may be asked again
 * later where that is harmless.
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
