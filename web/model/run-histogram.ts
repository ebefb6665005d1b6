import { runStatuses, type RunStatus } from '#lib/core/status.ts'
import { stateWord } from './states.ts'

/** A bucket as the API has it. */
export interface Bucket {
  readonly at: string
  readonly counts: Readonly<Record<string, number>>
}

/** A segment of a bar: its position and size, as fractions of the whole. */
export interface Piece {
  readonly state: RunStatus
  readonly left: number
  readonly width: number
  readonly top: number
  readonly height: number
}

/** From the bottom up: succeeded, running, needing attention. */
const order: readonly RunStatus[] = [
  'success',
  'partial_success',
  'running',
  'queued',
  'not_started',
  'cancelled',
  'failed',
]

/** Minimum height of a piece, so that failures among many runs stay visible. */
const heightMin = 0.03

const totalOf = ({ counts }: Bucket): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Bars from the counts, as high as their part of the highest. */
export function piecesOf(buckets: readonly Bucket[]): Piece[] {
  const highest = Math.max(1, ...buckets.map(totalOf))
  const width = 1 / Math.max(1, buckets.length)
  return buckets.flatMap((bucket, index) => {
    let bottom = 1
    return order.flatMap((state) => {
      const count = bucket.counts[state] ?? 0
      if (count === 0) return []
      const height = Math.min(bottom, Math.max(heightMin, count / highest))
      bottom -= height
      return [{ state, left: index * width, width, top: bottom, height }]
    })
  })
}

/** What the histogram shows, in words: how many runs there are, of which states, and where most failed. */
export function histogramText(buckets: readonly Bucket[], timeText: (iso: string) => string): string {
  const totals = new Map<string, number>()
  for (const { counts } of buckets) {
    for (const [state, count] of Object.entries(counts)) totals.set(state, (totals.get(state) ?? 0) + count)
  }
  const all = [...totals.values()].reduce((sum, count) => sum + count, 0)
  if (all === 0) return 'no runs'
  const states = runStatuses
    .filter((state) => totals.has(state))
    .map((state) => `${(totals.get(state) ?? 0).toLocaleString('en')} ${stateWord(state)}`)
  const worst = buckets.reduce<Bucket | undefined>(
    (most, one) => (failedOf(one) > (most === undefined ? 0 : failedOf(most)) ? one : most),
    undefined,
  )
  const where = worst === undefined ? '' : `; most failures, ${failedOf(worst)}, from ${timeText(worst.at)}`
  return `${all.toLocaleString('en')} ${all === 1 ? 'run' : 'runs'}: ${states.join(', ')}${where}`
}

const failedOf = ({ counts }: Bucket): number => counts['failed'] ?? 0
