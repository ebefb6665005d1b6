import { pageHelp } from '#lib/core/help-pages.ts'
import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { gridRows, rowsShown } from '../../model/step-grid.ts'
import { HelpLink } from '../../parts/help-link/help-link.tsx'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RunGrid } from '../../parts/run-grid/run-grid.tsx'
import type { DagAnswer } from '../../data/dag-answer.ts'

const runsShown = 30
/** Grids with many steps are large, so they are read less often. Milliseconds. */
const gridMs = (steps: number): number => (steps > 500 ? 30_000 : 2_000)
/** Rows at first; each press shows as many more. */
const stepsShown = 100

/** The states of each step in the last runs. */
export function DagOverview({
  fileName,
  dag,
}: {
  readonly fileName: string
  readonly dag: DagAnswer['dag']
}) {
  const { ask } = useData()
  const [most, setMost] = useState(stepsShown)
  const reading = useQuery(
    ['dag', fileName, 'grid'],
    () => ask('listDagHistory', { params: { fileName }, query: { limit: runsShown, nodes: 'none' } }),
    (data) => gridMs(data?.gridData.length ?? 0),
  )
  const stats = useQuery(['dag', fileName, 'stats'], () => ask('getDagStats', { params: { fileName } })).data
  const typical = Object.fromEntries(
    Object.entries(stats?.steps ?? {}).flatMap(([name, { p50Ms }]) =>
      p50Ms === undefined ? [] : [[name, p50Ms] as const],
    ),
  )
  return (
    <Loaded reading={reading} what={`the last runs of ${fileName}`}>
      {({ dagRuns, gridData }) => {
        if (dagRuns.length === 0) {
          return (
            <Notice title="It has never run">
              Start it, or wait for its schedule.{' '}
              <HelpLink page={pageHelp.neverRan} text="Missed its scheduled time?" />
            </Notice>
          )
        }
        const all = gridRows(
          gridData,
          dag.steps.map(({ name }) => name),
        )
        const rows = rowsShown(all, most)
        return (
          <>
            <RunGrid runs={dagRuns.toReversed()} rows={rows} typical={typical} />
            {rows.length < all.length && (
              <div class="dag-page-more">
                <Button onPress={() => setMost(most + stepsShown)}>Show more steps</Button>
                <span class="quiet">
                  {rows.length} of {all.length} steps, those that failed last among them
                </span>
              </div>
            )}
          </>
        )
      }}
    </Loaded>
  )
}
