import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'

interface Props {
  readonly name: string
  /** As people or programs name it, such as `failed`; several with commas between. */
  readonly status: string
}

/** Redirects to the newest run of a DAG with a status, for bookmarks. */
export function LatestRun({ name, status }: Props) {
  const { ask } = useData()
  const reading = useQuery(
    ['runs', 'latest', name, status],
    () =>
      ask('listDagRuns', { query: { name, status, limit: 1 } }) as Promise<{
        readonly dagRuns: readonly { readonly dagRunId: string }[]
      }>,
  )
  return (
    <Loaded reading={reading} what={`the runs of ${name}`}>
      {({ dagRuns: [run] }) =>
        run === undefined ? (
          <>
            <PageHead title={name} name={name} />
            <Notice title={`No run of ${name} is ${status}`} />
          </>
        ) : (
          <Lead name={name} runId={run.dagRunId} />
        )
      }
    </Loaded>
  )
}

function Lead({ name, runId }: { readonly name: string; readonly runId: string }) {
  const { links } = useData()
  const { route, query } = useLocation()
  const { status: _status, ...rest } = query
  useEffect(() => route(links.run(name, runId, rest), true), [])
  return null
}
