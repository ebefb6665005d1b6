import type { FinalRunStatus } from '#lib/core/status.ts'
import type { Step } from '#lib/definition/definition.ts'
import type { AttemptResult } from '#lib/engine/actions.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import { derivedId, readTraceparent, writeTraceparent } from '#lib/telemetry/trace-context.ts'
import type { Traces } from '#lib/telemetry/traces.ts'

/** An attempt of a step, with the progress at its start. */
interface AttemptStart {
  readonly progress: RunProgress
  readonly index: number
  readonly step: Step
}

/** The trace of a run: a span for the run, and one for each attempt of a step. */
export interface RunTrace {
  /** `TRACEPARENT` for commands of the run itself, such as its preconditions. */
  readonly ofRun: string
  /** `TRACEPARENT` for the processes and the child runs of an attempt. */
  readonly ofAttempt: (at: AttemptStart) => string
  readonly attemptEnded: (at: AttemptStart, startedAt: number, endedAt: number, result: AttemptResult) => void
  readonly runEnded: (startedAt: number, endedAt: number, status: FinalRunStatus, error: string) => void
}

/**
 * All span ids are derived from the run, its attempt and the step, so a new owner continues the trace of the old one.
 * The run joins the trace of the caller or the parent step that started it, if that has one.
 */
export function traceRun(traces: Traces | undefined, run: ClaimedRun): RunTrace | undefined {
  if (traces === undefined) return undefined
  const parent = readTraceparent(run.traceparent)
  const traceId = parent?.traceId ?? derivedId(32, 'millrace', run.dagName, run.runId)
  const sampled = parent?.sampled ?? true
  const runSpanId = derivedId(16, traceId, run.dagName, run.runId, run.attempt)
  const ofRun = { 'millrace.dag': run.dagName, 'millrace.run_id': run.runId, 'millrace.attempt': run.attempt }
  const attemptSpanId = ({ progress, index, step }: AttemptStart): string => {
    const { retryCount = 0, doneCount = 0 } = progress.steps[index] ?? {}
    return derivedId(16, runSpanId, step.name, retryCount, doneCount)
  }
  return {
    ofRun: writeTraceparent({ traceId, spanId: runSpanId, sampled }),
    ofAttempt: (at) => writeTraceparent({ traceId, spanId: attemptSpanId(at), sampled }),
    attemptEnded: (at, startedAt, endedAt, { exitCode, error, stopped, timedOut }) => {
      if (!sampled) return
      const { step } = at
      const hasFailed = stopped || timedOut || exitCode !== 0
      traces.add({
        traceId,
        spanId: attemptSpanId(at),
        sampled,
        parentSpanId: runSpanId,
        name: step.name,
        startedAt,
        endedAt,
        attributes: {
          ...ofRun,
          'millrace.step': step.name,
          'millrace.executor': step.child === undefined ? step.executor.type : 'dag',
          'millrace.retry': at.progress.steps[at.index]?.retryCount ?? 0,
          'process.exit.code': exitCode,
        },
        error: hasFailed ? error || (stopped ? 'stopped' : `exit code ${exitCode}`) : undefined,
      })
    },
    runEnded: (startedAt, endedAt, status, error) => {
      if (!sampled) return
      traces.add({
        traceId,
        spanId: runSpanId,
        sampled,
        parentSpanId: parent?.spanId,
        name: run.dagName,
        startedAt,
        endedAt,
        attributes: { ...ofRun, 'millrace.status': status },
        error: status === 'failed' || status === 'cancelled' ? error || status : undefined,
      })
    },
  }
}
