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

/** Attempts that are shown one after the other: the latest ones. */
const attemptsMax = 20

/**
 * Prints what the steps of a run printed: in the attempt of the view, or in each attempt below a headline. Of failed
 * steps, only the latest attempt is shown, whose failures count.
 * @returns whether any step has begun
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

/** A line about an attempt of a run, as a headline of its logs. */
export function attemptLine(
  { attempt, statusLabel, startedAt, finishedAt, durationMs, error }: Attempt,
  output: Output,
): string {
  const since = startedAt === '' ? '' : `, started ${output.time(startedAt)}`
  const duration = finishedAt === '' ? '' : `, took ${took({ startedAt, finishedAt, durationMs })}`
  const why = error === '' ? '' : `: ${errorLine(error)}`
  return `attempt ${attempt} ${output.status(statusLabel)}${since}${duration}${why}`
}
