import { useData } from '../../data/page-data.ts'
import { useQuery } from '../../data/cache.ts'
import { hasEnded, type State } from '../../model/states.ts'
import { errorHead, type StepRow } from '../../model/step-rows.ts'
import type { RunPlace } from '../step-table/step-name.tsx'
import { FailedStep } from './failed-step.tsx'

/** Failed steps whose last lines are shown at once. */
const shownMax = 3

interface Props {
  readonly run: RunPlace
  readonly state: State
  readonly steps: readonly StepRow[]
  readonly error: string
}

/** Why a run ended as it did, or what it waits for: the last lines of what failed included. */
export function WhyStrip({ run, state, steps, error }: Props) {
  const { ask, links } = useData()
  const params = { name: run.name, dagRunId: run.runId }
  const isClear = state === 'success' || state === 'never_ran'
  const why = useQuery(
    ['run', run.name, run.runId, 'why', state],
    () => ask('explainDagRun', { params }),
    !hasEnded(state),
    !isClear,
  )
  if (isClear) return null
  const failed = steps.filter((row) => row.state === 'failed')
  // The error of a run repeats that of its step.
  const ownError = failed.length > 0 ? '' : errorHead(error)
  const reasons = (why.data?.reasons ?? []).filter(
    (reason) => reason.rule !== 'step_failed' || !failed.some((row) => row.name === reason.step),
  )
  if (reasons.length === 0 && failed.length === 0 && error === '') return null
  return (
    <section class="why-strip" aria-label="Why">
      {ownError !== '' && <p class="why-strip-error">{ownError}</p>}
      {reasons.length > 0 && (
        <ul class="why-strip-reasons">
          {reasons.map((reason) => (
            <li key={`${reason.rule} ${reason.step ?? ''}`}>
              {reason.text}
              {(reason.runs ?? []).map((other) => (
                <a
                  key={other.dagRunId}
                  class="why-strip-run"
                  href={links.run(other.name, other.dagRunId)}
                >{`${other.name} ${other.dagRunId.slice(0, 8)}`}</a>
              ))}
            </li>
          ))}
        </ul>
      )}
      {failed.slice(0, shownMax).map((row) => (
        <FailedStep key={row.name} run={run} row={row} />
      ))}
      {failed.length > shownMax && (
        <p class="quiet">{failed.length - shownMax} more steps failed: see the list below.</p>
      )}
    </section>
  )
}
