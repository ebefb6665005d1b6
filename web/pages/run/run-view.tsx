import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Notice } from '../../controls/notice/notice.tsx'
import { useData } from '../../data/page-data.ts'
import type { RunOutline } from '../../data/run-calls.ts'
import type { RunAddress } from '../../model/links.ts'
import { hasEnded, runState } from '../../model/states.ts'
import { stepRows } from '../../model/step-rows.ts'
import { StartDialog } from '../../parts/start-dialog/start-dialog.tsx'
import { RunGraph } from '../../parts/step-graph/run-graph.tsx'
import { StepDrawer } from '../../parts/step-drawer/step-drawer.tsx'
import { StepTable } from '../../parts/step-table/step-table.tsx'
import { StepTimeline } from '../../parts/step-timeline/step-timeline.tsx'
import { WhyStrip } from '../../parts/why-strip/why-strip.tsx'
import { ChangedSince } from './changed-since.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunHead } from './run-head.tsx'
import { ViewLinks } from './view-links.tsx'

interface Props {
  readonly address: RunAddress
  readonly run: RunOutline
}

/** A run that was read. The address names the view, and the step whose details are next to it. */
export function RunView({ address, run }: Props) {
  const { links } = useData()
  const { query, route } = useLocation()
  const [isStarting, setStarting] = useState(false)
  const state = runState(run.status)
  const steps = stepRows(run)
  const row = steps.find(({ name }) => name === query['step'])
  const view = { view: query['view'] }
  const isRoot = address.childId === undefined && address.attempt === undefined
  const mayRetry = isRoot && hasEnded(state) && state !== 'success'
  return (
    <>
      <RunHead address={address} run={run} onAgain={() => setStarting(true)} />
      <RunFacts address={address} run={run} />
      {mayRetry && <ChangedSince run={run} />}
      <WhyStrip run={address} attempt={run.attempt} state={state} steps={steps} error={run.error} />
      <ViewLinks address={address} view={query['view']} />
      <div class={row === undefined ? 'run-view' : 'run-view run-view-split'}>
        <div class="run-view-steps">
          {steps.length === 0 && <Notice title="This run has no steps" />}
          {steps.length > 0 && query['view'] === 'steps' && (
            <StepTable
              run={address}
              steps={steps}
              detailsOf={(step) => links.runAt(address, { ...view, step })}
            />
          )}
          {steps.length > 0 && query['view'] === 'graph' && <RunGraph run={address} steps={steps} />}
          {steps.length > 0 && query['view'] !== 'steps' && query['view'] !== 'graph' && (
            <StepTimeline run={address} steps={steps} />
          )}
        </div>
        {row !== undefined && (
          <StepDrawer
            run={address}
            runState={state}
            row={row}
            onClose={() => route(links.runAt(address, view))}
          />
        )}
      </div>
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
