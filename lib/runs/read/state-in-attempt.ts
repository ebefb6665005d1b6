import { badRequest } from '#lib/core/errors.ts'
import type { StepStatus } from '#lib/core/status.ts'
import { planRun } from '#lib/engine/plan.ts'
import type { RunState } from './load-run.ts'
import type { RunRecord, StepRecord, StepTry } from './run-record.ts'

/**
 * A run as it was at the end of an earlier attempt, as far as recorded: without outputs and results of conditions.
 * @throws ServiceError `bad_request` for an attempt that does not exist or was not recorded
 */
export function stateInAttempt(state: RunState, attempt: number): RunState {
  const { run, definition, steps, pastTries = new Map<string, readonly StepTry[]>() } = state
  if (attempt === run.attempt) return state
  const past = run.pastAttempts.find((one) => one.attempt === attempt)
  if (past === undefined) throw badRequest(`attempt: nothing is known of attempt ${attempt}`)
  const stepsInAttempt = new Map<string, StepRecord>()
  const triesBefore = new Map<string, readonly StepTry[]>()
  for (const [place, { step }] of planRun(definition).steps.entries()) {
    const tries = (pastTries.get(step.name) ?? []).filter((one) => one.attempt <= attempt)
    const record = stepInAttempt(steps.get(step.name), tries, { name: step.name, place, attempt })
    if (record !== undefined) stepsInAttempt.set(step.name, record)
    const earlier = tries.filter((one) => one.attempt < (record?.attempt ?? 0))
    if (earlier.length > 0) triesBefore.set(step.name, earlier)
  }
  const { status, startedAt, finishedAt, error } = past
  const shown: RunRecord = {
    ...run,
    attempt,
    status,
    startedAt,
    finishedAt,
    error,
    owner: undefined,
    ownerHost: '',
    ending: undefined,
    stopRequestedAt: undefined,
  }
  return {
    run: shown,
    latest: run,
    definition,
    steps: stepsInAttempt,
    children: state.children,
    pastTries: triesBefore,
  }
}

/** A step at the end of an attempt. A step that has not run since then is unchanged. */
function stepInAttempt(
  now: StepRecord | undefined,
  tries: readonly StepTry[],
  { attempt, ...at }: { readonly name: string; readonly place: number; readonly attempt: number },
): StepRecord | undefined {
  if (now !== undefined && now.attempt <= attempt) return now
  const last = tries.at(-1)
  if (last === undefined) return undefined
  const triesOfLast = tries.filter((one) => one.attempt === last.attempt)
  return {
    ...at,
    status: last.status ?? endOf(last),
    attempt: last.attempt,
    retryCount: Math.max(0, last.number - 1),
    doneCount: last.number,
    startedAt: triesOfLast[0]?.startedAt,
    finishedAt: last.finishedAt,
    exitCode: last.exitCode,
    waitUntil: undefined,
    outputs: undefined,
    tries: triesOfLast.length > 1 ? triesOfLast : undefined,
    error: last.error,
    tolerated: false,
    conditions: [],
  }
}

const endOf = ({ error }: StepTry): StepStatus => (error === '' ? 'success' : 'failed')
