import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { SearchField } from '../../controls/search-field/search-field.tsx'
import { usePages } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { hasWords, readRunFilter } from '../../model/run-filter.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RunTable, type RunItem } from '../../parts/run-table/run-table.tsx'

const runsPerPage = 200

/** All runs, newest first. */
export function RunsPage() {
  const { ask, links } = useData()
  const { query, route } = useLocation()
  const text = query['q'] ?? ''
  const filter = readRunFilter(text)
  const reading = usePages(
    ['runs', filter.query],
    (cursor: string | undefined) =>
      ask('listDagRuns', {
        query: { ...filter.query, limit: runsPerPage, ...(cursor !== undefined && { cursor }) },
      }) as Promise<RunsAnswer>,
    (page) => page.nextCursor,
  )
  const setText = (next: string): void =>
    route(next === '' ? links.runs : `${links.runs}?${new URLSearchParams({ q: next })}`, true)
  return (
    <>
      <PageHead title="Runs" name="Runs">
        <SearchField
          name="Filter runs"
          hint="failed, dag:nightly, id:7f3a or words"
          value={text}
          onChange={setText}
        />
      </PageHead>
      <Loaded reading={reading} what="the runs">
        {(pages) => {
          const all = pages.flatMap((page) => page.dagRuns)
          const runs = all.filter((run) => hasWords([run.name, run.dagRunId, run.triggerType], filter.words))
          return (
            <>
              {runs.length > 0 && <RunTable name="Runs" runs={runs} hasDag />}
              {runs.length === 0 && !reading.hasMore && (
                <Empty isFiltered={text !== ''} onClear={() => setText('')} />
              )}
              {reading.hasMore && (
                <div class="runs-page-more">
                  <Button onPress={reading.more}>Load more</Button>
                  <span class="quiet">
                    {filter.words.length > 0
                      ? `words were looked for in the newest ${all.length} runs`
                      : `the newest ${all.length} runs`}
                  </span>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </>
  )
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
