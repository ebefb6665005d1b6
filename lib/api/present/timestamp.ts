/** The last second that was written: neighbours in a list often share it. */
let last = { second: Number.NaN, text: '' }

/** The time from start to end in milliseconds; no field before the end. */
export function durationMs({
  startedAt,
  finishedAt,
}: {
  readonly startedAt?: number | undefined
  readonly finishedAt?: number | undefined
}): { durationMs?: number } {
  if (startedAt === undefined || finishedAt === undefined) return {}
  return { durationMs: Math.max(0, Math.round(finishedAt - startedAt)) }
}

/**
 * A point in time as the API writes it: RFC 3339 in UTC, to the second; empty when there is none.
 * @param ms milliseconds since 1970
 */
export function timestamp(ms: number | undefined): string {
  if (ms === undefined) return ''
  const second = Math.floor(ms / 1_000)
  if (second !== last.second) {
    last = { second, text: `${new Date(second * 1_000).toISOString().slice(0, 19)}Z` }
  }
  return last.text
}
