/**
 * Milliseconds until the next poll: 2 s, 5 s if nothing has changed for a minute, and twice as long after each
 * failure up to 30 s.
 */
export function pollMs({
  unchangedMs,
  failures,
}: {
  readonly unchangedMs: number
  readonly failures: number
}): number {
  if (failures > 0) return Math.min(30_000, 2_000 * 2 ** failures)
  return unchangedMs > 60_000 ? 5_000 : 2_000
}
