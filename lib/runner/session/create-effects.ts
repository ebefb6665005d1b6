import { messageOf } from '#lib/core/errors.ts'
import type { MailTemplate } from '#lib/definition/definition.ts'
import type { AttemptResult } from '#lib/engine/actions.ts'
import { plannedAt } from '#lib/engine/plan.ts'
import { roundOf, type RunProgress } from '#lib/engine/progress.ts'
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
import { runAttempt } from '../steps/run-attempt.ts'
import { surroundRun, surroundStep, type StepSurroundings, type Supervision } from '../steps/step-context.ts'
import { recordItem } from './record-item.ts'
import type { AttemptRequest, RunEffects } from './run-effects.ts'
import { mailEvents, mailWithinMs, sendRunMail, type MailEvent } from './send-run-mail.ts'

export interface EffectDeps {
  readonly run: ClaimedRun
  readonly facts: RunFacts
  readonly log: RunLog
  readonly runner: RunnerDeps
  /** Creates the view of one attempt on the child runs of this run. */
  readonly children: (view: ChildView) => ChildRuns
  /** True when the inputs of the run are not stored yet: they go with its first record, before any step uses them. */
  readonly isFresh: boolean
  readonly onLost: () => void
  readonly runOfStep: RunOfStep
  readonly trace: RunTrace | undefined
}

/** Performs the effects of one run on this machine and the database. `mailed` settles when no mail is left to send. */
export function createEffects(deps: EffectDeps): RunEffects & { readonly mailed: () => Promise<unknown> } {
  const { facts, log, runner } = deps
  const { clock } = runner
  let inputs = deps.isFresh ? facts.inputs : undefined
  const mails: Promise<void>[] = []
  let hasBegun = false
  return {
    mailed: () => Promise.all(mails),
    now: clock.now,
    record: async (change) => {
      const item = recordItem(deps, change, inputs)
      inputs = undefined
      const answer = await runner.journal.record(item)
      if (answer === 'lost') {
        deps.onLost()
        return answer
      }
      const { end, after } = change
      if (end?.type === 'finished') deps.trace?.runEnded(after.startedAt, clock.now(), end.status, end.error)
      mails.push(...mailEvents(facts, change).map(([template, event]) => mail(deps, template, event)))
      return answer
    },
    checkRun: (progress, signal) =>
      supervised(deps, signal, async (watch) => {
        const scope = await surroundRun(facts, progress, watch)
        return (await checkConditions(facts.definition.preconditions, scope)).every(({ met }) => met)
      }).catch((error: unknown) => {
        log.line(clock.now(), `preconditions of the DAG: ${messageOf(error)}`)
        return false
      }),
    checkStep: async (progress, index, signal) => {
      const { preconditions } = plannedAt(facts.plan, index).step
      return inStep(deps, progress, index, signal, (scope) => checkConditions(preconditions, scope)).catch(
        (error: unknown) => {
          const why = facts.maskError(messageOf(error))
          return preconditions.map(() => ({ met: false, error: why }))
        },
      )
    },
    // A condition that cannot be evaluated is not met: a `while` ends, an `until` continues to its limit.
    decideRepeat: async (progress, index, signal) => {
      const condition = plannedAt(facts.plan, index).step.repeatPolicy?.condition
      if (condition === undefined) return false
      const decided = inStep(deps, progress, index, signal, (scope) => checkCondition(condition, scope))
      return decided.then(
        ({ met }) => met,
        () => false,
      )
    },
    attempt: (request) => {
      // The file of the log is made while the first process runs, when nothing waits for it.
      if (!hasBegun) setImmediate(() => void log.flush())
      hasBegun = true
      return attempt(deps, request)
    },
    flush: () => log.close(),
    publish: (observed, progress) => {
      const line = eventLine(facts.plan, observed, progress)
      if (line !== undefined) log.line(clock.now(), line)
    },
    publishEnd: (end) => log.line(clock.now(), endLine(end)),
  }
}

async function mail(deps: EffectDeps, template: MailTemplate, event: MailEvent): Promise<void> {
  const { facts, log, runner } = deps
  try {
    await supervised(deps, AbortSignal.timeout(mailWithinMs), async (watch) => {
      const scope = await surroundRun(facts, event.progress, watch)
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

/** Runs `act` with its processes marked for the search for strays, and known to the warden. */
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

function inStep<T>(
  deps: EffectDeps,
  progress: RunProgress,
  index: number,
  signal: AbortSignal,
  act: (scope: StepSurroundings) => Promise<T>,
): Promise<T> {
  const { facts } = deps
  const { step } = plannedAt(facts.plan, index)
  return supervised(deps, signal, async (watch) =>
    act(await surroundStep(facts, progress, { place: index, step }, watch)),
  )
}

async function attempt(deps: EffectDeps, request: AttemptRequest): Promise<AttemptResult> {
  const { facts, runner, trace } = deps
  const { stop, reattach, index, progress } = request
  const { step } = plannedAt(facts.plan, index)
  const now = progress.steps[index]
  const round = now === undefined ? 0 : roundOf(now)
  const at = { progress, index, step }
  const traceparent = trace?.ofAttempt(at)
  const startedAt = runner.clock.now()
  const result = await supervised(deps, stop.signal, (watch) =>
    runAttempt({
      ...request,
      facts,
      step,
      round,
      watch: { ...watch, traceparent },
      leaseGood: runner.lease.good,
      settings: runner.executors,
      run: deps.runOfStep,
      children: deps.children({ step: step.name, round, reattach, signal: stop.signal, traceparent }),
    }),
  )
  // Otherwise the attempt continues under the next owner, who reports it.
  if (stop.signal.reason !== 'lease_lost') trace?.attemptEnded(at, startedAt, runner.clock.now(), result)
  return result
}
