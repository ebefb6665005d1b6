import { failpoint } from '#lib/core/failpoint.ts'
import { messageOf } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { Step } from '#lib/definition/definition.ts'
import type { AttemptResult } from '#lib/engine/actions.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import { runChildCall, type ChildCallOutcome } from '#lib/executors/dag/run.ts'
import type { ChildRuns } from '#lib/executors/dag/child-runs.ts'
import type { ExecutorSettings, RunOfStep, StepContext } from '#lib/executors/executor.ts'
import { executorFor } from '#lib/executors/registry.ts'
import { openLogWriter, type LogWriter } from '../log/log-writer.ts'
import { maskInTurns } from '../log/mask-in-turns.ts'
import { stepLogKey, type RunFacts } from '../inputs/run-facts.ts'
import {
  prepareStep,
  redirectFiles,
  buildStepScope,
  type StepScope,
  type Supervision,
} from './step-context.ts'
import { boundError } from './bound-error.ts'
import { openStepOutput, type StepOutput } from './step-output.ts'
import { reserveTextMemory, type TextMemory } from './text-memory.ts'

export interface Attempt {
  readonly facts: RunFacts
  /** Progress at the start of the attempt, with the step itself already executing. */
  readonly progress: RunProgress
  readonly index: number
  readonly step: Step
  /** Number of the execution under the repeat policy; 0 is the first. */
  readonly iteration: number
  /** Aborted with a {@link import('#lib/executors/executor.ts').StopReason} when the attempt must end. */
  readonly stop: AbortController
  readonly watch: Omit<Supervision, 'signal'>
  /** Resolves when the lease is certainly valid. No executor starts before. */
  readonly leaseValid: () => Promise<void>
  readonly children: ChildRuns
  readonly settings: ExecutorSettings
  readonly run: RunOfStep
  /** True when the attempt is a child run that a previous owner started. */
  readonly reattach: boolean
}

/** Executes one attempt of a step. Never rejects: errors become part of the result. */
export async function runAttempt(attempt: Attempt): Promise<AttemptResult> {
  const { step, stop, facts } = attempt
  const limit = new StepLimit(step.timeoutSec, stop)
  let output: StepOutput | undefined
  let logLine: number | undefined
  let outcome: ChildCallOutcome
  let memory: TextMemory | undefined
  try {
    memory = await reserveTextMemory(facts.runKey, stop.signal)
    const stepScope = await buildStepScope(facts, attempt.progress, attempt, {
      ...attempt.watch,
      signal: stop.signal,
    })
    logLine = await firstLogLine(attempt)
    output = await openOutput(attempt, stepScope)
    outcome = await execute(attempt, stepScope, output, memory)
    failpoint('attempt.executed')
  } catch (error) {
    outcome = failure(error)
  } finally {
    memory?.release()
    limit.clear()
  }
  const written = await output?.end().catch((error: unknown) => {
    outcome = failure(error)
  })
  failpoint('attempt.written')
  if (limit.isReached) {
    outcome = { ...outcome, exitCode: 124, error: `step timed out after ${step.timeoutSec}s` }
  } else if (written?.captureFault !== undefined) {
    const error = `failed to capture output: ${written.captureFault}`
    outcome = { ...outcome, exitCode: outcome.exitCode || 1, error }
  }
  const captured =
    step.output === undefined ? '' : await maskInTurns(written?.captured ?? '', facts.maskedValues)
  return {
    exitCode: outcome.exitCode,
    error: boundError(facts.maskError(outcome.error.replaceAll('\0', ''))),
    stopped: stop.signal.aborted && !limit.isReached,
    timedOut: limit.isReached,
    outputs: step.output === undefined ? {} : { [step.output.name]: captured },
    outputMatched: written?.matched ?? false,
    partial: outcome.partial,
    ...(logLine !== undefined && { logLine }),
  }
}

/**
 * The line of standard output, counted from 1, at which an attempt starts to write; undefined for the first attempt.
 */
async function firstLogLine({ facts, index, progress, reattach }: Attempt): Promise<number | undefined> {
  const now = progress.steps[index]
  if (reattach || (now?.retryCount === 0 && now.doneCount === 0)) return undefined
  const key = stepLogKey(facts, index, 'stdout')
  try {
    const { bytes } = await facts.logs.end(key)
    const { end, totalLines } = await facts.logs.locate(key, { from: 'end', limit: 1 }, limits.logBytesMax)
    // Without a line feed at its end, the last line continues.
    return end < bytes || bytes === 0 ? totalLines + 1 : totalLines
  } catch {
    return undefined
  }
}

/** The time limit of a step. It stops the attempt, which is then reported as timed out. */
class StepLimit {
  isReached = false
  readonly #timer: NodeJS.Timeout | undefined

  constructor(timeoutSec: number, stop: AbortController) {
    if (timeoutSec <= 0) return
    this.#timer = setTimeout(
      () => {
        if (stop.signal.aborted) return
        this.isReached = true
        stop.abort('timed_out')
      },
      Math.min(timeoutSec * 1_000, 2_147_483_647),
    )
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}

async function execute(
  attempt: Attempt,
  stepScope: StepScope,
  output: StepOutput,
  memory: TextMemory,
): Promise<ChildCallOutcome> {
  const { step, facts, stop } = attempt
  if (step.child !== undefined) {
    memory.release()
    return runChildCall({
      call: step.child,
      step: step.name,
      iteration: attempt.iteration,
      parentRunId: facts.runId,
      scope: stepScope.scope,
      run: stepScope.substitution,
      children: attempt.children,
      stdout: output.stdout,
      signal: stop.signal,
    })
  }
  const { type } = step.executor
  if (type === 'dag') throw new Error('the step names no DAG to run')
  const [executor, prepared] = await Promise.all([executorFor(type), prepareStep(step, stepScope)])
  await memory.expanded(step, prepared)
  const context: StepContext = {
    ...attempt.watch,
    ...prepared,
    step,
    stdout: output.stdout,
    stderr: output.stderr,
    signal: stop.signal,
    settings: attempt.settings,
    run: attempt.run,
  }
  failpoint('attempt.ready')
  await attempt.leaseValid()
  return { ...(await executor.run(context)), partial: false }
}

/** Opens the logs and output files. Logs continue after those of earlier attempts and owners. */
async function openOutput(attempt: Attempt, stepScope: StepScope): Promise<StepOutput> {
  const { facts, index, step, progress } = attempt
  const now = progress.steps[index]
  const isFirst = now?.retryCount === 0 && now.doneCount === 0 && !attempt.reattach
  const openLog = async (stream: 'stdout' | 'stderr'): Promise<LogWriter> => {
    const key = stepLogKey(facts, index, stream)
    const start = isFirst ? { sequence: 0, bytes: 0 } : await facts.logs.end(key)
    return openLogWriter(facts.logs, key, {
      maskedValues: facts.maskedValues,
      bytesMax: facts.logBytesMax,
      isPrompt: true,
      start,
    })
  }
  const stdoutLog = await openLog('stdout')
  const isMerged = stepLogKey(facts, index, 'stderr').stream === 'stdout'
  return openStepOutput({
    ...(await redirectFiles(step, stepScope, facts)),
    stdoutLog,
    stderrLog: isMerged ? stdoutLog : await openLog('stderr'),
    capture:
      step.output === undefined
        ? undefined
        : {
            bytesMax: facts.definition.maxOutputSize,
            reserve: (bytes) => facts.outputBudget.reserve(index, bytes),
          },
    patterns: step.continueOn.output,
  })
}

function failure(error: unknown): ChildCallOutcome {
  return { exitCode: 1, error: messageOf(error), partial: false }
}
