import { pageHelp } from '#lib/core/help-pages.ts'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { usePages } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { HelpLink } from '../../parts/help-link/help-link.tsx'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RunBulk } from '../../parts/run-bulk/run-bulk.tsx'
import { withRun, type RunItem } from '../../parts/run-table/run-table.tsx'

const runsPerPage = 100

/** All runs of a DAG, newest first. */
export function DagRuns({ name }: { readonly name: string }) {
  const { ask } = useData()
  const asked = { name, limit: runsPerPage }
  const reading = usePages(
    ['runs', { name }],
    (cursor: string | undefined) =>
      ask('listDagRuns', {
        query: { ...asked, ...(cursor !== undefined && { cursor }) },
      }) as Promise<RunsAnswer>,
    (page) => page.nextCursor,
    { topic: 'runs', query: asked, patch: withRun },
  )
  return (
    <Loaded reading={reading} what={`the runs of ${name}`}>
      {(pages) => {
        const runs = pages.flatMap((page) => page.dagRuns)
        if (runs.length === 0) {
          return (
            <Notice title="It has never run">
              Start it, or wait for its schedule.{' '}
              <HelpLink page={pageHelp.neverRan} text="Missed its scheduled time?" />
            </Notice>
          )
        }
        return (
          <>
            <RunBulk runs={runs} hasDag={false} />
            {reading.hasMore && (
              <div class="dag-page-more">
                <Button onPress={reading.more}>Load more</Button>
              </div>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

interface RunsAnswer {
  readonly dagRuns: readonly RunItem[]
  readonly nextCursor?: string
}
