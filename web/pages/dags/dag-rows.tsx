import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageLinks } from '../../controls/page-links/page-links.tsx'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { useData } from '../../data/page-data.ts'
import { dagQuery, type DagView } from '../../model/dag-view.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import type { DagItem } from './dag-item.ts'
import { DagTable } from './dag-table.tsx'
import { useDags } from './dags-queries.ts'

const FirstStart = lazy(() => import('./first-start.tsx').then((module) => module.FirstStart))

const dagsPerPage = 100
/** Bars of each DAG. */
const runsShown = 20

interface Props {
  readonly view: DagView
  readonly hrefOf: (view: DagView) => string
  readonly onStart: (dag: DagItem) => void
}

/** A page of the DAGs as rows. */
export function DagRows({ view, hrefOf, onStart }: Props) {
  const { links } = useData()
  const { route } = useLocation()
  const asked = { ...dagQuery(view), page: view.page, perPage: dagsPerPage, runs: runsShown }
  const reading = useDags(asked)
  const clear = (): void => route(links.dags, true)
  return (
    <Loaded reading={reading} what="the DAGs">
      {([answer]) => {
        if (answer === undefined) return null
        const { dags, pagination } = answer
        if (dags.length === 0) return <Empty view={view} onClear={clear} />
        const first = (pagination.currentPage - 1) * dagsPerPage + 1
        return (
          <>
            <DagTable
              dags={dags}
              view={view}
              hrefOf={hrefOf}
              onStart={onStart}
              before={first - 1}
              total={pagination.totalRecords}
            />
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
  )
}

function Empty({ view, onClear }: { readonly view: DagView; readonly onClear: () => void }) {
  if (view.text !== '' || view.tab !== '' || view.page > 1) {
    return (
      <Notice title={view.page > 1 ? 'There is no such page' : 'No DAG matches the filter'}>
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
