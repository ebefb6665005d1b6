import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { callsAbout, runKey } from '../../data/run-calls.ts'
import type { RunAddress } from '../../model/links.ts'
import { linesOf } from '../../model/log-window.ts'
import { hasEnded } from '../../model/states.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { LogText } from '../log-view/log-text.tsx'

const linesShown = 12

interface Props {
  readonly run: RunAddress
  readonly row: StepRow
  readonly stream: 'stdout' | 'stderr'
}

/** The last lines of a step, if any. */
export function LastLines({ run, row, stream }: Props) {
  const { ask, links } = useData()
  const key = [...runKey(run), 'tail', row.name, stream, row.startedAtMs, row.tries]
  const { data } = useQuery(
    key,
    () => callsAbout(ask, run).stepLog(row.name, { stream, tail: linesShown }),
    !hasEnded(row.state),
  )
  const lines = linesOf(data?.content ?? '')
  if (data === undefined || lines.length === 0) return null
  return (
    <div class="last-lines">
      <p class="last-lines-caption">
        <span>
          {stream},{' '}
          {data.totalLines > lines.length ? `last ${lines.length} of ${data.totalLines} lines` : 'all lines'}
        </span>
        <a href={links.log(run, { step: row.name, stream })}>Open {stream}</a>
      </p>
      <pre
        class="last-lines-text"
        tabIndex={0}
        role="region"
        aria-label={`Last lines of ${row.name}, ${stream}`}
      >
        {lines.map((line, index) => (
          <span key={index} class="last-lines-line" dir="auto">
            <LogText line={line} />
            {'\n'}
          </span>
        ))}
      </pre>
    </div>
  )
}
