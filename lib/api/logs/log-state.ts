import { badRequest } from '#lib/core/errors.ts'
import { isFinalRun } from '#lib/core/status.ts'
import { runLogKey, type LogKey } from '#lib/logs/log-store.ts'
import { isMerged, isStepOver, type RunStep } from '#lib/runs/steps/find-step.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'

/** Where a log is now, and whether more may follow. */
export interface LogState {
  readonly key: LogKey
  readonly isOver: boolean
}

/** Which of the logs of a step is asked for: by default that of the latest attempt of the run that wrote one. */
interface Asked {
  readonly attempt?: number
}

/**
 * The log of a run.
 * @throws ServiceError `bad_request` for an attempt that the run has not had
 */
export function runLogState(run: RunRecord, asked: Asked): LogState {
  const key = inAttempt(runLogKey(run), run, asked)
  return { key, isOver: key.attempt < run.attempt || isFinalRun(run.status) }
}

/**
 * The log of a stream of a step. With merged output there is only one stream.
 * @throws ServiceError `bad_request` for an attempt that the run has not had
 */
export function stepLogState(
  step: Pick<RunStep, 'run' | 'definition' | 'planned' | 'record'>,
  asked: Asked & { readonly stream: 'stdout' | 'stderr' },
): LogState {
  const { run, definition, planned, record } = step
  const latest = {
    runKey: run.runKey,
    attempt: record?.attempt ?? run.attempt,
    step: planned.step.name,
    stream: isMerged(definition, planned.step) ? 'stdout' : asked.stream,
  } as const
  const key = inAttempt(latest, run, asked)
  return { key, isOver: key.attempt < run.attempt || isStepOver(step) }
}

function inAttempt(key: LogKey, run: RunRecord, { attempt = key.attempt }: Asked): LogKey {
  if (attempt <= run.attempt) return { ...key, attempt }
  const had = run.attempt === 1 ? 'one attempt' : `${run.attempt} attempts`
  throw badRequest(`attempt: the run has had ${had}, got ${attempt}`)
}
