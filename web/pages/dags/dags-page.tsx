import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { SearchField } from '../../controls/search-field/search-field.tsx'
import { usePages } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { StartDialog } from '../../parts/start-dialog/start-dialog.tsx'
import type { DagItem } from './dag-item.ts'
import { DagTable } from './dag-table.tsx'

const dagsPerPage = 200
/** Bars of each DAG. */
const runsShown = 20

/** All DAGs: what they did last, and when they run next. */
export function DagsPage() {
  const { ask, links } = useData()
  const { query, route } = useLocation()
  const text = query['q'] ?? ''
  const [starting, setStarting] = useState<DagItem>()
  const reading = usePages(
    ['dags', text],
    (page: number | undefined) =>
      ask('listDags', {
        query: { perPage: dagsPerPage, page: page ?? 1, runs: runsShown, ...(text !== '' && { name: text }) },
      }),
    (answer) => answer.pagination.nextPage ?? undefined,
  )
  const setText = (next: string): void =>
    route(next === '' ? links.dags : `${links.dags}?${new URLSearchParams({ q: next })}`, true)
  return (
    <>
      <PageHead title="DAGs" name="DAGs">
        <SearchField name="Filter DAGs" hint="part of a file name" value={text} onChange={setText} />
      </PageHead>
      <Loaded reading={reading} what="the DAGs">
        {(pages) => {
          const dags = pages.flatMap((page) => page.dags)
          if (dags.length === 0) return <Empty isFiltered={text !== ''} onClear={() => setText('')} />
          return (
            <>
              <DagTable dags={dags} onStart={setStarting} />
              {reading.hasMore && (
                <div class="dags-page-more">
                  <Button onPress={reading.more}>Load more</Button>
                  <span class="quiet">
                    {dags.length} of {pages[0]?.pagination.totalRecords}
                  </span>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
      {starting !== undefined && (
        <StartDialog fileName={starting.fileName} dag={starting.dag} onClose={() => setStarting(undefined)} />
      )}
    </>
  )
}

function Empty({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  if (isFiltered) {
    return (
      <Notice title="No DAG has such a name">
        <Button onPress={onClear}>Clear the filter</Button>
      </Notice>
    )
  }
  return (
    <Notice title="There is no DAG yet">
      <p>
        Put YAML files into a folder and name it in <code>MILLRACE_DAGS_DIR</code>, or send one:
      </p>
      <pre>millrace import my-dags/</pre>
    </Notice>
  )
}
