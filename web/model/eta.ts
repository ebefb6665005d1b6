/** Minimum number of runs for a typical duration. */
const runsMin = 3

/** How long the latest runs of a DAG took. */
export interface Typical {
  readonly runs: number
  /** Median, milliseconds. */
  readonly p50Ms?: number | undefined
  readonly p95Ms?: number | undefined
}

/**
 * Estimated remaining time of an active run: `about 4 min left`, or `longer than usual` if it takes longer than most.
 * Undefined if too little is known, or the run is too short for an estimate.
 */
export function timeLeft({ runs, p50Ms, p95Ms = p50Ms }: Typical, soFarMs: number): string | undefined {
  if (runs < runsMin || p50Ms === undefined || p50Ms < 5_000) return undefined
  if (soFarMs > (p95Ms ?? p50Ms) * 1.1) return 'longer than usual'
  const leftMs = p50Ms - soFarMs
  if (leftMs <= 0) return 'about to end'
  const minutes = Math.round(leftMs / 60_000)
  return leftMs < 60_000 ? 'less than a minute left' : `about ${hours(minutes)} left`
}

const hours = (minutes: number): string =>
  minutes < 90 ? `${minutes} min` : `${(Math.round(minutes / 30) / 2).toLocaleString('en')} h`
