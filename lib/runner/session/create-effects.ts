import { messageOf } from '#lib/core/errors.ts'
import type { MailTemplate } from '#lib/definition/definition.ts'
import type { AttemptResult, RunEvent } from '#lib/engine/actions.ts'
import { plannedAt } from '#lib/engine/plan.ts'
import { iterationOf, type ConditionResult, type RunProgress } from '#lib/engine/progress.ts'
import type { ChildRuns } from '#lib/executors/dag/child-runs.ts'
import type { RunOfStep } from '#lib/executors/executor.ts'
import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import type { ChildView } from '../children/child-view.ts'
import type { RunFacts } from '../inputs/run-facts.ts'
import { endLine, eventLine } from '../log/run-log-lines.ts'
import type { RunLog } from '../log/run-log.ts'
import type { RunTrace } from '../log/run-trace.ts'
import type { RunnerDeps } from '../runner-deps.ts'
import { checkCondition, checkConditions } from '../steps/check-conditions.ts'
import { runAttempt, type Attempt } from '../steps/run-attempt.ts'
import { buildRunScope, buildStepScope, type StepScope, type Supervision } from '../steps/step-context.ts'
import { recordItem } from './record-item.ts'
import type { LongAction, RunEffects } from './run-effects.ts'
import { mailEvents, mailTimeoutMs, sendRunMail, type MailEvent } from './send-run-mail.ts'

export interface EffectDeps {
  readonly run: ClaimedRun
  readonly facts: RunFacts
  readonly log: RunLog
  readonly runner: RunnerDeps
  /** Creates the interface through which one attempt starts and awaits child runs. */
  readonly children: (view: ChildView) => ChildRuns
  /** True when the inputs of the run are not stored yet. The first record stores them, before any step uses them. */
  readonly isFresh: boolean
  readonly onLost: () => void
  readonly runOfStep: RunOfStep
  readonly trace: RunTrace | undefined
}

/**
 * Creates the effects of one run on this machine and in the database. `mailed` settles when all mails were sent or
 * failed.
 */
export function createEffects(deps: EffectDeps): RunEffects & { readonly mailed: () => Promise<unknown> } {
  const { facts, log, runner } = deps
  const { clock } = runner
  let inputs = deps.isFresh ? facts.inputs : undefined
  const mails: Promise<void>[] = []
  let hasStarted = false
  return {
    mailed: () => Promise.all(mails),
    now: clock.now,
    record: async (change) => {
      const item = recordItem(deps, change, inputs)
      inputs = undefined
      const result = await runner.journal.record(item)
      if (result === 'lost') {
        deps.onLost()
        return result
      }
      const { end, after } = change
      if (end !== undefined && 'finish' in end)
        deps.trace?.runEnded(after.startedAt, clock.now(), end.finish.status, end.finish.error)
      mails.push(...mailEvents(facts, change).map(([template, event]) => mail(deps, template, event)))
      return result
    },
    perform: (action, progress, stop) => {
      // The log file is created while the first process runs, to keep it off the critical path.
      if (action.type === 'start-attempt' && !hasStarted) {
        hasStarted = true
        setImmediate(() => void log.flush())
      }
      return perform(deps, action, progress, stop)
    },
    flush: () => log.close(),
    publish: (observed, progress) => {
      const line = eventLine(facts.plan, observed, progress)
      if (line !== undefined) log.line(clock.now(), line)
    },
    publishEnd: (end) => log.line(clock.now(), endLine(end)),
  }
}

async function perform(
  deps: EffectDeps,
  action: LongAction,
  progress: RunProgress,
  stop: AbortController,
): Promise<RunEvent> {
  const { now } = deps.runner.clock
  const { signal } = stop
  if (action.type === 'check-run') return { type: 'run-checked', met: await checkRun(deps, progress, signal) }
  const { step } = action
  const given = { progress, index: step, signal }
  if (action.type === 'check-step')
    return { type: 'step-checked', step, conditions: await checkStep(deps, given), at: now() }
  if (action.type === 'decide-repeat')
    return { type: 'repeat-decided', step, met: await decideRepeat(deps, given), at: now() }
  const result = await attempt(deps, { progress, index: step, reattach: action.reattach, stop })
  return { type: 'attempt-ended', step, at: now(), result }
}

interface StepAt {
  readonly progress: RunProgress
  readonly index: number
  readonly signal: AbortSignal
}

async function checkRun(deps: EffectDeps, progress: RunProgress, signal: AbortSignal): Promise<boolean> {
  const { facts, log, runner } = deps
  const { preconditions } = facts.definition
  try {
    return await supervised(deps, signal, async (watch) => {
      const results = await checkConditions(preconditions, await buildRunScope(facts, progress, watch))
      return results.every(({ met }) => met)
    })
  } catch (error) {
    log.line(runner.clock.now(), `preconditions of the DAG: ${messageOf(error)}`)
    return false
  }
}

async function checkStep(deps: EffectDeps, at: StepAt): Promise<ConditionResult[]> {
  const { preconditions } = plannedAt(deps.facts.plan, at.index).step
  try {
    return await inStep(deps, at, (scope) => checkConditions(preconditions, scope))
  } catch (error) {
    const why = deps.facts.maskError(messageOf(error))
    return preconditions.map(() => ({ met: false, error: why }))
  }
}

/** A condition that cannot be evaluated is not met: a `while` ends, an `until` continues to its limit. */
async function decideRepeat(deps: EffectDeps, at: StepAt): Promise<boolean> {
  const condition = plannedAt(deps.facts.plan, at.index).step.repeatPolicy?.condition
  if (condition === undefined) return false
  try {
    return (await inStep(deps, at, (scope) => checkCondition(condition, scope))).met
  } catch {
    return false
  }
}

function inStep<T>(
  deps: EffectDeps,
  { progress, index, signal }: StepAt,
  act: (scope: StepScope) => Promise<T>,
): Promise<T> {
  const { facts } = deps
  const { step } = plannedAt(facts.plan, index)
  return supervised(deps, signal, async (watch) =>
    act(await buildStepScope(facts, progress, { index, step }, watch)),
  )
}

async function attempt(
  deps: EffectDeps,
  request: Pick<Attempt, 'progress' | 'index' | 'reattach' | 'stop'>,
): Promise<AttemptResult> {
  const { facts, runner, trace } = deps
  const { stop, reattach, index, progress } = request
  const { step } = plannedAt(facts.plan, index)
  const now = progress.steps[index]
  const iteration = now === undefined ? 0 : iterationOf(now)
  const at = { progress, index, step }
  const traceparent = trace?.ofAttempt(at)
  const startedAt = runner.clock.now()
  const result = await supervised(deps, stop.signal, (watch) =>
    runAttempt({
      ...request,
      facts,
      step,
      iteration,
      watch: { ...watch, traceparent },
      leaseValid: runner.lease.whenValid,
      settings: runner.executors,
      run: deps.runOfStep,
      children: deps.children({ step: step.name, iteration, reattach, signal: stop.signal, traceparent }),
    }),
  )
  // After a lost lease, the next owner reports the attempt.
  if (stop.signal.reason !== 'lease_lost') trace?.attemptEnded(at, startedAt, runner.clock.now(), result)
  return result
}

/** Runs `act` with its processes marked for the stray search and reported to the warden. */
async function supervised<T>(
  { facts, runner, trace }: EffectDeps,
  signal: AbortSignal,
  act: (watch: Supervision) => Promise<T>,
): Promise<T> {
  const mark = runner.strays.mark()
  try {
    return await act({
      signal,
      mark: [mark.name, mark.value],
      traceparent: trace?.ofRun,
      cleanUpMs: facts.definition.maxCleanUpTimeSec * 1_000,
      onProcessGroup: runner.warden.group,
    })
  } finally {
    mark.ended()
  }
}

async function mail(deps: EffectDeps, template: MailTemplate, event: MailEvent): Promise<void> {
  const { facts, log, runner } = deps
  try {
    await supervised(deps, AbortSignal.timeout(mailTimeoutMs), async (watch) => {
      const scope = await buildRunScope(facts, event.progress, watch)
      await sendRunMail(facts, template, event, { scope, settings: runner.executors })
    })
  } catch (error) {
    const why = facts.maskError(messageOf(error))
    log.line(runner.clock.now(), `mail to ${template.to.join(', ')}: ${why}`)
    runner.log.warn(
      { event: 'mail.failed', runId: facts.runId, dag: facts.dagName, why },
      'a mail was not sent',
    )
  }
}
