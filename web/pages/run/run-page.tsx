import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso/router'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { CallFailure } from '../../data/call.ts'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { eventsPath, patchRun } from '../../model/run-events.ts'
import { hasEnded, runState, stateWord } from '../../model/states.ts'
import { stepRows, type StepRow } from '../../model/step-rows.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RunActions } from '../../parts/run-actions/run-actions.tsx'
import { StartDialog } from '../../parts/start-dialog/start-dialog.tsx'
import { StateMark } from '../../parts/state-mark/state-mark.tsx'
import { RunGraph } from '../../parts/step-graph/run-graph.tsx'
import type { RunPlace } from '../../parts/step-table/step-name.tsx'
import { StepTable } from '../../parts/step-table/step-table.tsx'
import { StepTimeline } from '../../parts/step-timeline/step-timeline.tsx'
import { WhyStrip } from '../../parts/why-strip/why-strip.tsx'
import { RunFacts } from './run-facts.tsx'
import { ViewLinks } from './view-links.tsx'
import type { RunDetails } from './run-details.ts'

/** How often an ended run is looked at again: somebody else may retry it. */
const endedMs = 15_000

/** One run: its state, why it is in it, and its steps. */
export function RunPage() {
  const { ask, links } = useData()
  const { params } = useRoute()
  const [name = '', runId = ''] = [params['name'], params['runId']]
  const reading = useQuery(
    ['run', name, runId],
    () => ask('getDagRun', { params: { name, dagRunId: runId } }).then((answer) => answer.dagRun),
    (run) => (run !== undefined && isOver(run) ? endedMs : true),
    true,
    { path: eventsPath({ name, runId }), patch: patchRun, isOver },
  )
  const isGone = reading.error instanceof CallFailure && reading.error.status === 404
  if (isGone) {
    return (
      <>
        <PageHead title={name} name={name} />
        <Notice title="This run does not exist, or was removed">
          Runs are kept as long as their DAG says (histRetentionDays). See <a href={links.runs}>all runs</a>.
        </Notice>
      </>
    )
  }
  return (
    <Loaded reading={reading} what={`run ${runId} of ${name}`}>
      {(run) => <Run run={run} />}
    </Loaded>
  )
}

const isOver = (run: RunDetails): boolean => hasEnded(runState(run.status))

interface StepsProps {
  readonly run: RunPlace
  readonly steps: readonly StepRow[]
  readonly view: string | undefined
}

/** The same steps three times: when, what depends on what, and as words. */
function StepsView({ run, steps, view }: StepsProps) {
  if (view === 'steps') return <StepTable run={run} steps={steps} />
  if (view === 'graph') return <RunGraph run={run} steps={steps} />
  return <StepTimeline run={run} steps={steps} />
}

function Run({ run }: { readonly run: RunDetails }) {
  const { links } = useData()
  const { query } = useLocation()
  const [isStarting, setStarting] = useState(false)
  const state = runState(run.status)
  const place = { name: run.name, runId: run.dagRunId }
  const steps = stepRows(run)
  return (
    <>
      <PageHead
        crumb={
          <>
            <a href={links.runs}>Runs</a> / <a href={links.dag(run.fileName ?? run.name)}>{run.name}</a>
          </>
        }
        title={run.name}
        name={`${stateWord(state)} · ${run.name} ${run.dagRunId.slice(0, 8)}`}
      >
        <span class="run-page-state" role="status" aria-label="State">
          <StateMark state={state} />
          {stateWord(state)}
        </span>
        <span class="run-page-space" />
        <RunActions run={place} state={state} onAgain={() => setStarting(true)} />
      </PageHead>
      <RunFacts run={run} state={state} />
      <WhyStrip run={place} state={state} steps={steps} error={run.error} />
      <ViewLinks place={place} view={query['view']} />
      {steps.length === 0 && <Notice title="This run has no steps" />}
      {steps.length > 0 && <StepsView run={place} steps={steps} view={query['view']} />}
      {isStarting && (
        <StartDialog
          fileName={run.fileName ?? run.name}
          given={run.params}
          onClose={() => setStarting(false)}
        />
      )}
    </>
  )
}
