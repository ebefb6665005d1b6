import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { linesOf } from '../../model/log-window.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { LogText } from '../log-view/log-text.tsx'
import { StateMark } from '../state-mark/state-mark.tsx'
import type { RunPlace } from '../step-table/step-name.tsx'

const linesShown = 12

/** A step that failed: what the service says of it, and what it wrote last. */
export function FailedStep({ run, row }: { readonly run: RunPlace; readonly row: StepRow }) {
  return (
    <div class="failed-step">
      <h2 class="failed-step-head">
        <StateMark state="failed" />
        <span class="failed-step-name">{row.name}</span>
        <span class="failed-step-error">{row.error}</span>
      </h2>
      <LastLines run={run} row={row} stream="stderr" />
      <LastLines run={run} row={row} stream="stdout" />
    </div>
  )
}

interface Props {
  readonly run: RunPlace
  readonly row: StepRow
  readonly stream: 'stdout' | 'stderr'
}

/** Nothing where nothing was written. */
function LastLines({ run, row, stream }: Props) {
  const { ask, links } = useData()
  const params = { name: run.name, dagRunId: run.runId, stepName: row.name }
  const key = ['run', run.name, run.runId, 'tail', row.name, stream, row.startedAtMs, row.tries]
  const { data } = useQuery(key, () => ask('getStepLog', { params, query: { stream, tail: linesShown } }))
  const lines = linesOf(data?.content ?? '')
  if (data === undefined || lines.length === 0) return null
  return (
    <div class="failed-step-stream">
      <p class="failed-step-caption">
        <span>
          {stream},{' '}
          {data.totalLines > lines.length ? `last ${lines.length} of ${data.totalLines} lines` : 'all lines'}
        </span>
        <a href={links.log(run.name, run.runId, { step: row.name, stream })}>Open {stream}</a>
      </p>
      <pre
        class="failed-step-lines"
        tabIndex={0}
        role="region"
        aria-label={`Last lines of ${row.name}, ${stream}`}
      >
        {lines.map((line, index) => (
          <span key={index} class="failed-step-line" dir="auto">
            <LogText line={line} />
            {'\n'}
          </span>
        ))}
      </pre>
    </div>
  )
}
