import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { CallFailure } from '../../data/call.ts'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RunTable, type RunItem } from '../../parts/run-table/run-table.tsx'
import { ScheduledSwitch } from '../../parts/scheduled-switch/scheduled-switch.tsx'
import { StartDialog } from '../../parts/start-dialog/start-dialog.tsx'
import { DagLinks } from './dag-links.tsx'

/** One DAG: its last runs, and its text. */
export function DagPage() {
  const { ask, links } = useData()
  const { params } = useRoute()
  const { query } = useLocation()
  const [isStarting, setStarting] = useState(false)
  const fileName = params['fileName'] ?? ''
  const reading = useQuery(['dag', fileName], () => ask('getDag', { params: { fileName } }), 10_000)
  const crumb = <a href={links.dags}>DAGs</a>
  if (reading.error instanceof CallFailure && reading.error.status === 404) {
    return (
      <>
        <PageHead crumb={crumb} title={fileName} name={fileName} />
        <Notice title="There is no such DAG">
          It may have been renamed or deleted. <a href={links.dags}>All DAGs</a>
        </Notice>
      </>
    )
  }
  return (
    <>
      <PageHead crumb={crumb} title={fileName} name={fileName}>
        <span class="dag-page-space" />
        {reading.data !== undefined && (
          <>
            <span class="dag-page-schedule code quiet">
              {reading.data.dag.schedule.map(({ expression }) => expression).join(', ')}
            </span>
            <ScheduledSwitch fileName={fileName} isSuspended={reading.data.suspended} />
            <Button isMain onPress={() => setStarting(true)}>
              Start
            </Button>
          </>
        )}
      </PageHead>
      <Loaded reading={reading} what={fileName}>
        {({ dag, errors }) => (
          <>
            {dag.description !== '' && <p class="dag-page-about quiet">{dag.description}</p>}
            {errors.map((error) => (
              <p key={error} class="dag-page-about">
                Fault: {error}
              </p>
            ))}
            <DagLinks fileName={fileName} view={query['view']} />
            {query['view'] === 'spec' ? <Spec fileName={fileName} /> : <LastRuns name={dag.name} />}
            {isStarting && <StartDialog fileName={fileName} dag={dag} onClose={() => setStarting(false)} />}
          </>
        )}
      </Loaded>
    </>
  )
}

function LastRuns({ name }: { readonly name: string }) {
  const { ask } = useData()
  const reading = useQuery(
    ['runs', { name, last: 50 }],
    () => ask('listDagRuns', { query: { name, limit: 50 } }) as Promise<LastRunsAnswer>,
    true,
  )
  return (
    <Loaded reading={reading} what={`the runs of ${name}`}>
      {({ dagRuns }) =>
        dagRuns.length === 0 ? (
          <Notice title="It has never run">Start it, or wait for its schedule.</Notice>
        ) : (
          <RunTable name="Runs" runs={dagRuns} hasDag={false} />
        )
      }
    </Loaded>
  )
}

interface LastRunsAnswer {
  readonly dagRuns: readonly RunItem[]
}

function Spec({ fileName }: { readonly fileName: string }) {
  const { ask } = useData()
  const reading = useQuery(['dag', fileName, 'spec'], () => ask('getDagSpec', { params: { fileName } }))
  return (
    <Loaded reading={reading} what={`the text of ${fileName}`}>
      {({ spec }) => (
        <pre class="dag-page-spec" tabIndex={0} role="region" aria-label="Spec">
          {spec}
        </pre>
      )}
    </Loaded>
  )
}
