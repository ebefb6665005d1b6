import { Ago } from '../../controls/time/time.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { durationText, instantOf } from '../../model/durations.ts'
import { scheduleText } from '../../model/schedule-text.ts'
import type { DagAnswer } from '../../data/dag-answer.ts'

const statsMs = 15_000
/** Minimum number of runs for the 95th percentile. */
const spreadRuns = 20

/** The facts of a DAG: what it is, when it runs next, and its usual duration. */
export function DagFacts({ fileName, answer }: { readonly fileName: string; readonly answer: DagAnswer }) {
  const { now } = useData()
  const { dag, errors, nextRuns, suspended, suspendedAt, suspendedBy } = answer
  const schedule = scheduleText(dag.schedule)
  return (
    <>
      {dag.description !== '' && <p class="dag-facts-about quiet">{dag.description}</p>}
      {errors.map((error) => (
        <p key={error} class="dag-facts-about">
          Fault: {error}
        </p>
      ))}
      <ul class="dag-facts" aria-label="Facts">
        {dag.group !== '' && <li>{dag.group}</li>}
        {dag.tags.map((tag) => (
          <li key={tag}>{tag}</li>
        ))}
        {schedule !== '' && <li class="code">{schedule}</li>}
        {suspended && (
          <li>
            schedule suspended <Ago at={instantOf(suspendedAt ?? '')} now={now} />
            {suspendedBy !== undefined && ` by ${suspendedBy}`}
          </li>
        )}
        {nextRuns.length > 0 && (
          <li>
            next{' '}
            {nextRuns.slice(0, 3).map((at, index) => (
              <span key={at}>
                {index > 0 && ', '}
                <Ago at={instantOf(at)} now={now} />
              </span>
            ))}
          </li>
        )}
        <Usual fileName={fileName} />
      </ul>
    </>
  )
}

/** Facts from the newest finished runs. */
function Usual({ fileName }: { readonly fileName: string }) {
  const { ask } = useData()
  const stats = useQuery(
    ['dag', fileName, 'stats'],
    () => ask('getDagStats', { params: { fileName } }),
    statsMs,
  ).data
  if (stats?.successRate === undefined) return null
  const { runs, successRate, p50Ms, p95Ms, waitP50Ms = 0 } = stats
  return (
    <>
      <li>
        {runs === 1
          ? `the last run ${successRate === 1 ? 'succeeded' : 'did not succeed'}`
          : `${Math.floor(successRate * 100)} % of the last ${runs} runs succeeded`}
      </li>
      {p50Ms !== undefined && p95Ms !== undefined && (
        <li>
          typically {durationText(p50Ms)}
          {runs >= spreadRuns && `, 19 of 20 within ${durationText(p95Ms)}`}
        </li>
      )}
      {waitP50Ms >= 1_000 && <li>waits {durationText(waitP50Ms)}</li>}
    </>
  )
}
