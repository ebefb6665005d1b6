import type { Output } from './output.ts'
import { pastSteps } from './past-steps.ts'
import { errorLine, took, type RunDetails } from './runs.ts'
import type { Service } from './service.ts'
import { showStep, type StepView } from './show-steps.ts'

type Attempt = NonNullable<RunDetails['attempts']>[number]

interface Shown {
  readonly root: RunDetails
  /** The root, or one of its descendants. */
  readonly run: RunDetails
  readonly failedOnly: boolean
}

/** Maximum number of attempts to show; older ones are left out. */
const attemptsMax = 20

/**
 * Prints the output of a run's steps: that of the selected attempt, or of each attempt below a headline. With
 * `failedOnly`, only the latest attempt is shown, since only its failures count.
 * @returns whether any step has started
 */
export async function showAttempts(
  service: Service,
  shown: Shown,
  view: StepView,
  output: Output,
): Promise<boolean> {
  const { attempts = [] } = shown.run
  const latest = attempts.at(-1)?.attempt ?? 1
  if (view.attempt !== undefined) {
    return await showAttempt(service, shown, { ...view, isLatest: view.attempt === latest }, output)
  }
  if (attempts.length === 0 || shown.failedOnly) return await showAttempt(service, shown, view, output)
  for (const one of attempts.slice(-attemptsMax)) {
    const { attempt } = one
    if (!output.isJson) output.write(`${output.style('bold', attemptLine(one, output))}\n`)
    await showAttempt(service, shown, { ...view, attempt, isLatest: attempt === latest }, output)
  }
  return true
}

/** Child runs count their own attempts, and belong to the latest of their parent. */
async function showAttempt(
  service: Service,
  { root, run, failedOnly }: Shown,
  view: StepView,
  output: Output,
): Promise<boolean> {
  const own = run === root ? undefined : run.dagRunId
  let isAny = false
  const ownOnly = view.isLatest === false
  for await (const past of pastSteps(service, { root, run, failedOnly, ownOnly })) {
    isAny = true
    const { attempt: _, isLatest: __, ...ofChild } = view
    await showStep(service, past, past.child === own ? view : ofChild, output)
  }
  return isAny
}

/** The headline above the logs of an attempt. */
export function attemptLine(
  { attempt, statusLabel, startedAt, finishedAt, durationMs, error }: Attempt,
  output: Output,
): string {
  const since = startedAt === '' ? '' : `, started ${output.time(startedAt)}`
  const duration = finishedAt === '' ? '' : `, took ${took({ startedAt, finishedAt, durationMs })}`
  const why = error === '' ? '' : `: ${errorLine(error)}`
  return `attempt ${attempt} ${output.status(statusLabel)}${since}${duration}${why}`
}
