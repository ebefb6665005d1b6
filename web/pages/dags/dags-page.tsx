import { useState } from 'preact/hooks'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { PageLinks } from '../../controls/page-links/page-links.tsx'
import { SearchField } from '../../controls/search-field/search-field.tsx'
import { TabLinks } from '../../controls/tab-links/tab-links.tsx'
import { useData } from '../../data/page-data.ts'
import { useWriteRefusal } from '../../data/refusal.ts'
import { dagQuery, readDagView, tabs, writeDagView, type DagView } from '../../model/dag-view.ts'
import { withQuery } from '../../model/links.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { SavedViews } from '../../parts/saved-views/saved-views.tsx'
import { StartDialog } from '../../parts/start-dialog/start-dialog.tsx'
import type { DagItem } from './dag-item.ts'
import { DagTable } from './dag-table.tsx'
import { useDagCounts, useDags } from './dags-queries.ts'

const FirstStart = lazy(() => import('./first-start.tsx').then((module) => module.FirstStart))

const dagsPerPage = 100
/** Bars of each DAG. */
const runsShown = 20

/** All DAGs: what they did last, and when they run next. */
export function DagsPage() {
  const { links } = useData()
  const { query, route } = useLocation()
  const refusal = useWriteRefusal()
  const [starting, setStarting] = useState<DagItem>()
  const view = readDagView(query)
  const asked = { ...dagQuery(view), page: view.page, perPage: dagsPerPage, runs: runsShown }
  const reading = useDags(asked)
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
      <Loaded reading={reading} what="the DAGs">
        {([answer]) => {
          if (answer === undefined) return null
          const { dags, pagination } = answer
          if (dags.length === 0) return <Empty view={view} onClear={() => route(links.dags, true)} />
          const first = (pagination.currentPage - 1) * dagsPerPage + 1
          return (
            <>
              <DagTable dags={dags} view={view} hrefOf={hrefOf} onStart={setStarting} />
              <PageLinks
                page={pagination.currentPage}
                pages={pagination.totalPages}
                total={pagination.totalRecords}
                first={first}
                last={first + dags.length - 1}
                hrefOf={(page) => hrefOf({ ...view, page })}
              />
            </>
          )
        }}
      </Loaded>
      {starting !== undefined && (
        <StartDialog fileName={starting.fileName} onClose={() => setStarting(undefined)} />
      )}
    </>
  )
}

function Empty({ view, onClear }: { readonly view: DagView; readonly onClear: () => void }) {
  if (view.text !== '' || view.tab !== '' || view.page > 1) {
    return (
      <Notice title={view.page > 1 ? 'There is no such page' : 'No DAG fits the filter'}>
        <Button onPress={onClear}>Show all DAGs</Button>
      </Notice>
    )
  }
  return (
    <ErrorBoundary>
      <FirstStart />
    </ErrorBoundary>
  )
}
