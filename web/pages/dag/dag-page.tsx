import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { TabLinks } from '../../controls/tab-links/tab-links.tsx'
import { CallFailure } from '../../data/call.ts'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { useRunRefusal } from '../../data/refusal.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { DagMenu } from '../../parts/dag-menu/dag-menu.tsx'
import { ScheduledSwitch } from '../../parts/scheduled-switch/scheduled-switch.tsx'
import { DagGraph } from '../../parts/step-graph/dag-graph.tsx'
import { StartDialog } from '../../parts/start-dialog/start-dialog.tsx'
import { DagFacts } from './dag-facts.tsx'
import { DagOverview } from './dag-overview.tsx'
import { DagRuns } from './dag-runs.tsx'
import { DagSchedule } from './dag-schedule.tsx'
import { DagSpec } from './dag-spec.tsx'
import { DagVersions } from './dag-versions.tsx'

const dagMs = 10_000
const views = new Set(['', 'runs', 'spec', 'schedule', 'versions'])

/** One DAG: the steps of its last runs, all its runs, and its text. */
export function DagPage() {
  const { ask, links } = useData()
  const { params } = useRoute()
  const [isStarting, setStarting] = useState(false)
  const fileName = params['fileName'] ?? ''
  const refusal = useRunRefusal()
  const view = params['view'] ?? ''
  const reading = useQuery(['dag', fileName], () => ask('getDag', { params: { fileName } }), dagMs)
  const crumb = <a href={links.dags}>DAGs</a>
  if (reading.error instanceof CallFailure && reading.error.status === 404) {
    return (
      <>
        <PageHead crumb={crumb} title={fileName} name={fileName} />
        <Notice title="There is no such DAG">
          It may have been renamed or deleted. <a href={links.dags}>All DAGs</a>
        </Notice>
        <DagVersions fileName={fileName} isGone />
      </>
    )
  }
  const tabs = [
    { name: 'Overview', href: links.dag(fileName), isHere: view === '' },
    { name: 'Runs', href: links.dag(fileName, 'runs'), isHere: view === 'runs' },
    { name: 'Spec', href: links.dag(fileName, 'spec'), isHere: view === 'spec' },
    { name: 'Schedule', href: links.dag(fileName, 'schedule'), isHere: view === 'schedule' },
    { name: 'Versions', href: links.dag(fileName, 'versions'), isHere: view === 'versions' },
  ]
  return (
    <>
      <PageHead crumb={crumb} title={fileName} name={fileName}>
        <span class="dag-page-space" />
        {reading.data !== undefined && (
          <>
            <ScheduledSwitch fileName={fileName} isSuspended={reading.data.suspended} isLabelled />
            <Button isMain refusal={refusal} onPress={() => setStarting(true)}>
              Start
            </Button>
            <DagMenu fileName={fileName} />
          </>
        )}
      </PageHead>
      <Loaded reading={reading} what={fileName}>
        {(answer) => (
          <>
            <DagFacts fileName={fileName} answer={answer} />
            <TabLinks name="Views of the DAG" tabs={tabs} />
            {view === '' && <DagOverview fileName={fileName} dag={answer.dag} />}
            {view === '' && <DagGraph steps={answer.dag.steps} />}
            {view === 'runs' && <DagRuns name={answer.dag.name} />}
            {view === 'spec' && <DagSpec fileName={fileName} />}
            {view === 'schedule' && <DagSchedule fileName={fileName} />}
            {view === 'versions' && <DagVersions fileName={fileName} />}
            {!views.has(view) && <Notice title="There is no such view of a DAG" />}
            {isStarting && <StartDialog fileName={fileName} onClose={() => setStarting(false)} />}
          </>
        )}
      </Loaded>
    </>
  )
}
