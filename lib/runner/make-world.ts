import { messageOf } from '#lib/core/errors.ts'
import type { MailTemplate } from '#lib/definition/definition.ts'
import type { AttemptResult } from '#lib/engine/actions.ts'
import { plannedAt } from '#lib/engine/plan.ts'
import { roundOf, type ConditionResult, type RunProgress } from '#lib/engine/progress.ts'
import type { ChildRuns } from '#lib/executors/dag/child-runs.ts'
import type { RunOfStep } from '#lib/executors/executor.ts'
import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import { checkCondition, checkConditions } from './steps/check-conditions.ts'
import { mailWithinMs, newsIn, notify, type News } from './notify.ts'
import { recordItem } from './record-item.ts'
import { runAttempt } from './steps/run-attempt.ts'
import type { RunFacts } from './inputs/run-facts.ts'
import type { RunLog } from './log/run-log.ts'
import type { RunTrace } from './log/run-trace.ts'
import type { AttemptRequest, RunWorld } from './run-world.ts'
import type { ChildView } from './children/child-registry.ts'
import type { RunnerServices } from './services.ts'
import { surroundRun, surroundStep, type StepSurroundings, type Supervision } from './steps/step-context.ts'
import { endLine, eventLine } from './log/run-log-lines.ts'

export interface WorldParts {
  readonly run: ClaimedRun
  readonly facts: RunFacts
  readonly log: RunLog
  readonly services: RunnerServices
  /** Creates the view of one attempt on the child runs of this run. */
  readonly children: (view: ChildView) => ChildRuns
  /** True when the inputs of the run are not stored yet: they go with its first record, before any step uses them. */
  readonly isFresh: boolean
  readonly onLost: () => void
  readonly runOfStep: RunOfStep
  readonly trace: RunTrace | undefined
}

/** The world of one run: this machine and the database. `mailed` settles when no mail is left to send. */
export function makeWorld(parts: WorldParts): RunWorld & { readonly mailed: () => Promise<unknown> } {
  const { facts, log, services } = parts
  const { clock } = services
  let inputs = parts.isFresh ? facts.inputs : undefined
  const mails: Promise<void>[] = []
  let hasBegun = false
  return {
    mailed: () => Promise.all(mails),
    now: clock.now,
    record: async (change) => {
      const item = recordItem(parts, change, inputs)
      inputs = undefined
      const answer = await services.journal.record(item)
      if (answer === 'lost') {
        parts.onLost()
        return answer
      }
      const { finish, after } = change
      if (finish !== undefined)
        parts.trace?.runEnded(after.startedAt, clock.now(), finish.status, finish.error)
      mails.push(...newsIn(facts, change).map(([template, news]) => tellByMail(parts, template, news)))
      return answer
    },
    checkRun: (progress, signal) =>
      watched(parts, signal, async (watch) => {
        const around = await surroundRun(facts, progress, watch)
        return (await checkConditions(facts.definition.preconditions, around)).every(({ met }) => met)
      }).catch((error: unknown) => {
        log.line(clock.now(), `preconditions of the DAG: ${messageOf(error)}`)
        return false
      }),
    checkStep: (progress, place, signal) => checkStep(parts, progress, place, signal),
    decideRepeat: (progress, place, signal) => decideRepeat(parts, progress, place, signal),
    attempt: (request) => {
      // The file of the log is made while the first process runs, when nothing waits for it.
      if (!hasBegun) setImmediate(() => void log.flush())
      hasBegun = true
      return attempt(parts, request)
    },
    flush: () => log.close(),
    tell: (event, progress) => {
      const line = eventLine(facts.plan, event, progress)
      if (line !== undefined) log.line(clock.now(), line)
    },
    tellEnd: (end) => log.line(clock.now(), endLine(end)),
  }
}

async function tellByMail(parts: WorldParts, template: MailTemplate, news: News): Promise<void> {
  const { facts, log, services } = parts
  try {
    await watched(parts, AbortSignal.timeout(mailWithinMs), async (watch) => {
      const around = await surroundRun(facts, news.progress, watch)
      await notify(facts, template, news, { around, settings: services.executors })
    })
  } catch (error) {
    const why = facts.maskError(messageOf(error))
    log.line(services.clock.now(), `mail to ${template.to.join(', ')}: ${why}`)
    services.log.warn(
      { event: 'mail.failed', runId: facts.runId, dag: facts.dagName, why },
      'a mail was not sent',
    )
  }
}

/** Runs `act` with its processes marked for the search for strays, and known to the warden. */
async function watched<T>(
  { facts, services, trace }: WorldParts,
  signal: AbortSignal,
  act: (watch: Supervision) => Promise<T>,
): Promise<T> {
  const mark = services.strays.mark()
  try {
    return await act({
      signal,
      mark: [mark.name, mark.value],
      traceparent: trace?.ofRun,
      cleanUpMs: facts.definition.maxCleanUpTimeSec * 1_000,
      onProcessGroup: services.warden.group,
    })
  } finally {
    mark.ended()
  }
}

async function checkStep(
  parts: WorldParts,
  progress: RunProgress,
  place: number,
  signal: AbortSignal,
): Promise<ConditionResult[]> {
  const { step } = plannedAt(parts.facts.plan, place)
  try {
    return await watched(parts, signal, async (watch) =>
      checkConditions(step.preconditions, await surround(parts, progress, place, watch)),
    )
  } catch (error) {
    const why = parts.facts.maskError(messageOf(error))
    return step.preconditions.map(() => ({ met: false, error: why }))
  }
}

/** A condition that cannot be evaluated is not met: a `while` ends, an `until` continues to its limit. */
async function decideRepeat(
  parts: WorldParts,
  progress: RunProgress,
  place: number,
  signal: AbortSignal,
): Promise<boolean> {
  const condition = plannedAt(parts.facts.plan, place).step.repeatPolicy?.condition
  if (condition === undefined) return false
  try {
    return await watched(parts, signal, async (watch) => {
      return (await checkCondition(condition, await surround(parts, progress, place, watch))).met
    })
  } catch {
    return false
  }
}

function surround(
  { facts }: WorldParts,
  progress: RunProgress,
  place: number,
  watch: Supervision,
): Promise<StepSurroundings> {
  return surroundStep(facts, progress, { place, step: plannedAt(facts.plan, place).step }, watch)
}

async function attempt(parts: WorldParts, request: AttemptRequest): Promise<AttemptResult> {
  const { facts, services, trace } = parts
  const { stop, reattach, place, progress } = request
  const { step } = plannedAt(facts.plan, place)
  const now = progress.steps[place]
  const round = now === undefined ? 0 : roundOf(now)
  const at = { progress, place, step }
  const traceparent = trace?.ofAttempt(at)
  const startedAt = services.clock.now()
  const result = await watched(parts, stop.signal, (watch) =>
    runAttempt({
      ...request,
      facts,
      step,
      round,
      watch: { ...watch, traceparent },
      leaseGood: services.lease.good,
      settings: services.executors,
      run: parts.runOfStep,
      children: parts.children({ step: step.name, round, reattach, signal: stop.signal, traceparent }),
    }),
  )
  // Otherwise the attempt continues under the next owner, who reports it.
  if (stop.signal.reason !== 'lease_lost') trace?.attemptEnded(at, startedAt, services.clock.now(), result)
  return result
}
