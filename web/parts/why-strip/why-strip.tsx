import { whyHelp } from '#lib/core/help-pages.ts'
import { useData } from '../../data/page-data.ts'
import { useQuery } from '../../data/cache.ts'
import { runKey } from '../../data/run-calls.ts'
import type { RunAddress } from '../../model/links.ts'
import { hasEnded, runState, stateWord, type State } from '../../model/states.ts'
import { errorHead, failedChildren, type StepRow } from '../../model/step-rows.ts'
import { HelpLink } from '../help-link/help-link.tsx'
import { FailedStep } from './failed-step.tsx'
import { ReasonText } from './reason-text.tsx'

/** Failed steps whose last lines are shown at once. */
const shownMax = 3

interface Props {
  readonly run: RunAddress
  /** The current attempt: the reasons of others differ. */
  readonly attempt: number | undefined
  readonly state: State
  readonly steps: readonly StepRow[]
  readonly error: string
}

/** Why a run ended as it did, with the last lines of failed steps, or what it waits for. */
export function WhyStrip({ run, attempt, state, steps, error }: Props) {
  const isClear = state === 'success' || state === 'never_ran'
  const reasons = useReasons({ run, attempt, state }, isClear)
  if (isClear) return null
  const failed = steps.filter((row) => row.state === 'failed')
  // The error of a run repeats that of its step.
  const ownError = failed.length > 0 ? '' : errorHead(error)
  const shown = reasons.filter(
    (reason) => reason.rule !== 'step_failed' || !failed.some((row) => row.name === reason.step),
  )
  if (shown.length === 0 && failed.length === 0 && error === '') return null
  return (
    <section class="why-strip" aria-label="Why">
      {ownError !== '' && <p class="why-strip-error">{ownError}</p>}
      <Reasons run={run} steps={steps} reasons={shown} />
      {failed.slice(0, shownMax).map((row) => (
        <div key={row.name}>
          <FailedStep run={run} row={row} />
          <FailedChildren run={run} row={row} />
        </div>
      ))}
      {failed.length > shownMax && (
        <p class="quiet">{failed.length - shownMax} more steps failed: see the list below.</p>
      )}
    </section>
  )
}

interface Reason {
  readonly rule: string
  readonly text: string
  readonly step?: string
  readonly runs?: readonly { readonly name: string; readonly dagRunId: string }[]
}

/** The service explains only the current attempt of root runs; for others, the steps tell. */
function useReasons(
  { run, attempt, state }: Pick<Props, 'run' | 'attempt' | 'state'>,
  isClear: boolean,
): readonly Reason[] {
  const { ask } = useData()
  const { name, runId } = run
  const isExplained = run.childId === undefined && run.attempt === undefined
  const why = useQuery(
    [...runKey({ name, runId }), 'why', attempt, state],
    () => ask('explainDagRun', { params: { name, dagRunId: runId } }),
    !hasEnded(state),
    !isClear && isExplained,
  )
  return isExplained ? (why.data?.reasons ?? []) : []
}

interface ReasonsProps {
  readonly run: RunAddress
  readonly steps: readonly StepRow[]
  readonly reasons: readonly Reason[]
}

function Reasons({ run, steps, reasons }: ReasonsProps) {
  const { links } = useData()
  if (reasons.length === 0) return null
  const children = new Set(steps.flatMap((row) => row.children.map((child) => child.dagRunId)))
  const addressOf = (name: string, dagRunId: string): RunAddress =>
    children.has(dagRunId)
      ? { name: run.name, runId: run.runId, childId: dagRunId }
      : { name, runId: dagRunId }
  return (
    <ul class="why-strip-reasons">
      {reasons.map((reason) => (
        <li key={`${reason.rule} ${reason.step ?? ''}`}>
          <ReasonText text={reason.text} />
          {(reason.runs ?? []).map(({ name, dagRunId }) => (
            <a key={dagRunId} class="why-strip-run" href={links.runAt(addressOf(name, dagRunId))}>
              {`${name} ${dagRunId.slice(0, 8)}`}
            </a>
          ))}
          <Help rule={reason.rule} />
        </li>
      ))}
    </ul>
  )
}

/** What to do about it, if anything. */
function Help({ rule }: Pick<Reason, 'rule'>) {
  const page = whyHelp[rule]
  return page === undefined ? null : (
    <>
      {' '}
      <HelpLink page={page} text="What to do" />
    </>
  )
}

/** A step that started runs failed because of them: they have the log. */
function FailedChildren({ run, row }: { readonly run: RunAddress; readonly row: StepRow }) {
  const { links } = useData()
  const failed = failedChildren(row)
  if (failed.length === 0) return null
  return (
    <p>
      {failed.slice(0, shownMax).map(({ dagRunId, name, status }) => (
        <a
          key={dagRunId}
          class="why-strip-run"
          href={links.runAt({ name: run.name, runId: run.runId, childId: dagRunId })}
        >
          {`${name} ${dagRunId.slice(0, 8)}: ${stateWord(runState(status))}`}
        </a>
      ))}
      {failed.length > shownMax && <span class="quiet"> and {failed.length - shownMax} more runs</span>}
    </p>
  )
}
