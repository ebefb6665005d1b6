import { pageHelp } from '#lib/core/help-pages.ts'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { usePages } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import type { RunQuery } from '../../model/run-filter.ts'
import { HelpLink } from '../../parts/help-link/help-link.tsx'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RunBulk } from '../../parts/run-bulk/run-bulk.tsx'
import { withRun, type RunItem } from '../../parts/run-table/run-table.tsx'

const runsPerPage = 200

interface Props {
  readonly query: RunQuery & { readonly fromDate?: number; readonly toDate?: number }
  readonly isFiltered: boolean
  readonly onClear: () => void
}

/** The matching runs, newest first, as far as they were loaded. */
export function RunList({ query, isFiltered, onClear }: Props) {
  const { ask } = useData()
  const asked = { ...query, limit: runsPerPage }
  const reading = usePages(
    ['runs', query],
    (cursor: string | undefined) =>
      ask('listDagRuns', {
        query: { ...asked, ...(cursor !== undefined && { cursor }) },
      }) as Promise<RunsAnswer>,
    (page) => page.nextCursor,
    { topic: 'runs', query: asked, patch: withRun },
  )
  return (
    <Loaded reading={reading} what="the runs">
      {(pages) => {
        const runs = pages.flatMap((page) => page.dagRuns)
        if (runs.length === 0) return <Empty isFiltered={isFiltered} onClear={onClear} />
        return (
          <>
            <RunBulk runs={runs} hasDag />
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
  )
}

/** The response in JSON, which the page requests because lines would come as a stream. */
interface RunsAnswer {
  readonly dagRuns: readonly RunItem[]
  readonly nextCursor?: string
}

function Empty({ isFiltered, onClear }: Pick<Props, 'isFiltered' | 'onClear'>) {
  const { links } = useData()
  if (isFiltered) {
    return (
      <Notice title="No run matches the filter">
        <Button onPress={onClear}>Clear the filter</Button>
      </Notice>
    )
  }
  return (
    <Notice title="Nothing has run yet">
      Start one of the <a href={links.dags}>DAGs</a>.{' '}
      <HelpLink page={pageHelp.firstRun} text="What a run is" />
    </Notice>
  )
}
