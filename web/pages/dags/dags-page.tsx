import { useState } from 'preact/hooks'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { SearchField } from '../../controls/search-field/search-field.tsx'
import { TabLinks } from '../../controls/tab-links/tab-links.tsx'
import { useData } from '../../data/page-data.ts'
import { useWriteRefusal } from '../../data/refusal.ts'
import { readDagView, tabs, writeDagView, type DagView } from '../../model/dag-view.ts'
import { withQuery } from '../../model/links.ts'
import { SavedViews } from '../../parts/saved-views/saved-views.tsx'
import { StartDialog } from '../../parts/start-dialog/start-dialog.tsx'
import type { DagItem } from './dag-item.ts'
import { DagRows } from './dag-rows.tsx'
import { useDagCounts } from './dags-queries.ts'

const DagMosaic = lazy(() => import('./dag-mosaic.tsx').then((module) => module.DagMosaic))

/** All DAGs: what they did last, and when they run next. */
export function DagsPage() {
  const { links } = useData()
  const { query, route } = useLocation()
  const refusal = useWriteRefusal()
  const [starting, setStarting] = useState<DagItem>()
  const view = readDagView(query)
  const counts = useDagCounts()
  const hrefOf = (next: DagView): string => withQuery(links.dags, writeDagView(next))
  return (
    <>
      <PageHead title="DAGs" name="DAGs">
        <SearchField
          name="Filter DAGs"
          hint="words, tag:daily, group:sales"
          value={view.text}
          onChange={(text) => route(hrefOf({ ...view, text, page: 1 }), true)}
        />
        <a class="dags-page-layout" href={hrefOf({ ...view, isGrid: !view.isGrid, page: 1 })}>
          {view.isGrid ? 'List' : 'Grid'}
        </a>
        <Button refusal={refusal} onPress={() => route(links.newDag)}>
          New DAG
        </Button>
        <SavedViews list="dags" />
      </PageHead>
      <TabLinks
        name="States"
        tabs={tabs.map(({ value, name, count }) => ({
          name,
          href: hrefOf({ ...view, tab: value, page: 1 }),
          isHere: view.tab === value,
          count: counts && count(counts),
        }))}
      />
      <ErrorBoundary>
        {view.isGrid ? (
          <DagMosaic view={view} />
        ) : (
          <DagRows view={view} hrefOf={hrefOf} onStart={setStarting} />
        )}
      </ErrorBoundary>
      {starting !== undefined && (
        <StartDialog fileName={starting.fileName} onClose={() => setStarting(undefined)} />
      )}
    </>
  )
}
