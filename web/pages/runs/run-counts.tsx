import { useRef } from 'preact/hooks'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import type { RunQuery } from '../../model/run-filter.ts'
import { bucketsShown, type RunRange } from '../../model/run-range.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RunHistogram } from '../../parts/run-histogram/run-histogram.tsx'

const histogramMs = 15_000

interface Props {
  readonly query: RunQuery
  readonly range: RunRange
  /** The part of the address that stands for the range. */
  readonly onRange: (query: Readonly<Record<string, string>>) => void
}

/** The histogram of runs. It counts the whole range, whatever the list has loaded. */
export function RunCounts({ query, range, onRange }: Props) {
  const { ask } = useData()
  const asked = { ...countedOf(query), from: range.from, to: range.to, buckets: bucketsShown }
  const reading = useQuery(
    ['runs', 'histogram', asked],
    () => ask('getRunHistogram', { query: asked }),
    histogramMs,
  )
  // The previous counts stay until the new ones have arrived.
  const counted = useRef(reading.data)
  counted.current = reading.data ?? counted.current
  return (
    <Loaded reading={{ ...reading, data: counted.current }} what="the histogram" rows={2}>
      {(buckets) => (
        <RunHistogram
          buckets={buckets}
          range={range}
          onRange={({ from, to }) => onRange({ from: String(from), to: String(to) })}
        />
      )}
    </Loaded>
  )
}

/** A part of an id is counted like any other word. */
function countedOf({ dagRunId, q, ...query }: RunQuery) {
  const words = [q, dagRunId].filter((word) => word !== undefined)
  return { ...query, ...(words.length > 0 && { q: words.join(' ') }) }
}
