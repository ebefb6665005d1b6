import type { Database } from '#lib/db/client.ts'
import { findBlockers, findQueue, findRunners, type ChildRef } from './find-blockers.ts'
import type { RunState } from '#lib/runs/read/load-run.ts'
import type { RunRef } from '#lib/runs/read/run-record.ts'

/** A reason why a run does not progress, or why it ended. */
export interface Reason {
  readonly rule:
    | 'queue_full'
    | 'queue_paused'
    | 'no_runner'
    | 'runners_busy'
    | 'runners_draining'
    | 'waiting_for_runner'
    | 'not_yet'
    | 'stopping'
    | 'executing'
    | 'waiting_for_retry'
    | 'waiting_for_child'
    | 'precondition_unmet'
    | 'step_failed'
    | 'ended'
  /** A sentence for the user. */
  readonly text: string
  readonly step?: string
  readonly runs?: readonly RunRef[]
}

/** Explains why a run waits, or why it ended. */
export async function explainRun(db: Database, state: RunState): Promise<Reason[]> {
  const { run } = state
  if (run.status === 'queued') return [await explainQueued(db, run.runKey, run.queue ?? '')]
  if (run.finishedAt !== undefined) return explainEnd(state)
  const blockers = await findBlockers(db, run.runKey)
  const stop: Reason[] = blockers.isStopping
    ? [{ rule: 'stopping', text: 'somebody stopped the run; its steps are being ended' }]
    : []
  if (blockers.isLost) {
    stop.push({
      rule: 'stopping',
      text: 'the run lost its runner three times in a row: the next runner runs its handlers, and ends it as failed',
    })
  }
  const steps = blockers.steps.map((step): Reason => {
    const { name } = step
    const children = blockers.children.filter((child) => child.step === name)
    if (children.length > 0) return waitsForChildren(name, children)
    if (step.waitUntil === null) return { rule: 'executing', step: name, text: `${name} is being executed` }
    const when = new Date(step.waitUntil).toISOString()
    return { rule: 'waiting_for_retry', step: name, text: `${name} is executed again at ${when}` }
  })
  const runner = blockers.hasOwner ? [] : [await explainRunners(db, run.runKey, blockers.readyInMs)]
  return [...stop, ...steps, ...(steps.length > 0 && blockers.readyInMs === null ? [] : runner)]
}

function waitsForChildren(step: string, children: readonly ChildRef[]): Reason {
  const runs = children.map(({ dagName, runId }) => ({ dagName, runId }))
  const shown = children.map(({ dagName, runId, status }) => `${dagName} ${runId} (${status})`).join(', ')
  return { rule: 'waiting_for_child', step, runs, text: `${step} waits for ${shown}` }
}

/** Explains why a run waits in a queue. */
export async function explainQueued(db: Database, runKey: string, name: string): Promise<Reason> {
  const { pause, limit, ahead, active, dagLimit, activeOfDag } = await findQueue(db, runKey, name)
  if (pause !== null) {
    const byWhom = pause.by === '' ? '' : ` by ${pause.by}`
    const text =
      `the queue ${name} was paused${byWhom} at ${new Date(pause.at).toISOString().slice(0, 19)}Z: ` +
      `nothing starts until it is resumed; ${ahead} queued before this one`
    return { rule: 'queue_paused', text }
  }
  const shown = namesOf(active)
  if (active.length < limit && activeOfDag.length >= dagLimit) {
    const text =
      `the DAG allows ${dagLimit} active run${dagLimit === 1 ? '' : 's'} in all queues together: ` +
      `${namesOf(activeOfDag)}; this one is in the queue ${name}`
    return { rule: 'queue_full', runs: activeOfDag, text }
  }
  const text =
    `the queue ${name} allows ${limit} active run${limit === 1 ? '' : 's'}: ${shown || 'none is'}; ` +
    `${ahead} queued before this one`
  return { rule: 'queue_full', runs: active, text }
}

const namesOf = (runs: readonly RunRef[]): string =>
  runs.map(({ dagName, runId }) => `${dagName} ${runId}`).join(', ')

async function explainRunners(db: Database, runKey: string, readyInMs: number | null): Promise<Reason> {
  if (readyInMs !== null && readyInMs > 0) {
    return { rule: 'not_yet', text: `it may be claimed in ${Math.ceil(readyInMs / 1_000)} s` }
  }
  const { labels, fitting, free, draining } = await findRunners(db, runKey)
  if (fitting > 0 && free > 0) {
    return { rule: 'waiting_for_runner', text: 'a runner will claim it in a moment' }
  }
  if (fitting > 0) {
    return {
      rule: 'runners_busy',
      text: `the ${fitting} runner${fitting === 1 ? '' : 's'} that may claim it have no free slot`,
    }
  }
  if (draining > 0) {
    const verbs = draining === 1 ? 'drains and claims' : 'drain and claim'
    return {
      rule: 'runners_draining',
      text: `the ${draining} runner${draining === 1 ? '' : 's'} that may claim it ${verbs} nothing`,
    }
  }
  const wanted = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
  const labelled =
    wanted.length === 0 ? '' : ` with the label${wanted.length === 1 ? '' : 's'} ${wanted.join(', ')}`
  return { rule: 'no_runner', text: `no runner${labelled} is alive` }
}

function explainEnd({ run, definition, steps }: RunState): Reason[] {
  const reasons: Reason[] = []
  if (run.ending === 'precondition_unmet') {
    const conditions = definition.preconditions.map(({ condition }) => condition).join('; ')
    reasons.push({
      rule: 'precondition_unmet',
      text: `the run was cancelled: its preconditions (${conditions}) did not hold`,
    })
  }
  if (run.ending === 'stopped') reasons.push({ rule: 'ended', text: 'somebody stopped the run' })
  if (run.ending === 'runner_lost') {
    reasons.push({ rule: 'ended', text: 'the run lost its runner three times in a row' })
  }
  if (run.ending === 'timed_out') {
    reasons.push({ rule: 'ended', text: `the run took longer than ${definition.timeoutSec} s` })
  }
  for (const step of steps.values()) {
    const { name } = step
    if (step.status === 'failed') {
      reasons.push({
        rule: 'step_failed',
        step: name,
        text: `${name} failed: ${step.error.split('\n')[0] ?? ''}`,
      })
    }
    const unmet = step.conditions.find(({ met }) => !met)
    if (step.status === 'skipped' && unmet !== undefined) {
      const index = step.conditions.indexOf(unmet)
      const written = definition.steps.find((candidate) => candidate.name === name)?.preconditions[index]
      const what = written === undefined ? '' : ` ${JSON.stringify(written.condition)}`
      reasons.push({
        rule: 'precondition_unmet',
        step: name,
        text: `${name} was skipped: its condition${what} did not hold: ${unmet.error}`,
      })
    }
  }
  return reasons.length > 0
    ? reasons
    : [{ rule: 'ended', text: `the run has ended: ${run.error || run.status}` }]
}
