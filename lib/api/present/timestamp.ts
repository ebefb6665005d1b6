/**
 * A point in time as the API writes it: RFC 3339 in UTC, to the second; empty when there is none.
 * @param ms milliseconds since 1970
 */
export function timestamp(ms: number | undefined): string {
  return ms === undefined ? '' : `${new Date(ms).toISOString().slice(0, 19)}Z`
}
