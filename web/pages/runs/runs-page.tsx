import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Chips } from '../../controls/chips/chips.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { SearchField } from '../../controls/search-field/search-field.tsx'
import { Toggles } from '../../controls/toggles/toggles.tsx'
import { usePages, useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { withQuery } from '../../model/links.ts'
import { readRunFilter, stateToggles, toggleState, type RunQuery } from '../../model/run-filter.ts'
import { bucketsShown, readRange } from '../../model/run-range.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RunHistogram } from '../../parts/run-histogram/run-histogram.tsx'
import { RunTable, type RunItem } from '../../parts/run-table/run-table.tsx'
import { RangeFields } from './range-fields.tsx'

const runsPerPage = 200
const histogramMs = 15_000

/** All runs, newest first, and how many there were when. */
export function RunsPage() {
  const { ask, links, now } = useData()
  const { query: address, route } = useLocation()
  const text = address['q'] ?? ''
  const { query, chips, codes } = readRunFilter(text)
  const range = readRange(address, now.peek())
  const asked = { ...query, ...range.listed }
  const reading = usePages(
    ['runs', asked],
    (cursor: string | undefined) =>
      ask('listDagRuns', {
        query: { ...asked, limit: runsPerPage, ...(cursor !== undefined && { cursor }) },
      }) as Promise<RunsAnswer>,
    (page) => page.nextCursor,
  )
  const inBars = { ...countedOf(query), from: range.from, to: range.to, buckets: bucketsShown }
  const histogram = useQuery(
    ['runs', 'histogram', inBars],
    () => ask('getRunHistogram', { query: inBars }),
    histogramMs,
  )
  const go = (next: Readonly<Record<string, string>>): void => route(withQuery(links.runs, next), true)
  const { q: _q, ...rangeOnly } = address
  const setText = (next: string): void => go({ ...(next !== '' && { q: next }), ...rangeOnly })
  const setRange = (next: Readonly<Record<string, string>>): void =>
    go({ ...(text !== '' && { q: text }), ...next })
  return (
    <>
      <PageHead title="Runs" name="Runs">
        <SearchField
          name="Filter runs"
          hint="failed, dag:nightly, tag:x, took:5m or words"
          value={text}
          onChange={setText}
        />
        <RangeFields range={range} onChange={setRange} />
      </PageHead>
      <div class="runs-page-filters">
        <Toggles
          name="States"
          toggles={stateToggles.map(({ code, name }) => ({
            name,
            isOn: codes.includes(code),
            onPress: () => setText(toggleState(text, code)),
          }))}
        />
        <Chips
          name="Filters"
          chips={chips.map(({ label, without }) => ({ label, onRemove: () => setText(without) }))}
        />
      </div>
      <Loaded reading={histogram} what="the histogram" rows={2}>
        {(buckets) => (
          <RunHistogram
            buckets={buckets}
            range={range}
            onRange={({ from, to }) => setRange({ from: String(from), to: String(to) })}
          />
        )}
      </Loaded>
      <Loaded reading={reading} what="the runs">
        {(pages) => {
          const runs = pages.flatMap((page) => page.dagRuns)
          const isFiltered = text !== '' || range.preset !== ''
          return (
            <>
              {runs.length > 0 && <RunTable name="Runs" runs={runs} hasDag />}
              {runs.length === 0 && <Empty isFiltered={isFiltered} onClear={() => go({})} />}
              {reading.hasMore && (
                <div class="runs-page-more">
                  <Button onPress={reading.more}>Load more</Button>
                  <span class="quiet">the newest {runs.length} runs</span>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

/** The histogram looks for a part of an id as for any other word. */
function countedOf({ dagRunId, q, ...query }: RunQuery) {
  const words = [q, dagRunId].filter((word) => word !== undefined)
  return { ...query, ...(words.length > 0 && { q: words.join(' ') }) }
}

/** As JSON, which is what the page asks for; lines would come as a stream. */
interface RunsAnswer {
  readonly dagRuns: readonly RunItem[]
  readonly nextCursor?: string
}

function Empty({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const { links } = useData()
  if (isFiltered) {
    return (
      <Notice title="No run fits the filter">
        <Button onPress={onClear}>Clear the filter</Button>
      </Notice>
    )
  }
  return (
    <Notice title="Nothing has run yet">
      Start one of the <a href={links.dags}>DAGs</a>.
    </Notice>
  )
}
