import { limits } from '#lib/core/limits.ts'
import type { ChildCall } from '#lib/definition/definition.ts'
import { expand } from '#lib/definition/values/expand.ts'
import { countItems, parallelItems } from '#lib/definition/values/parallel-items.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'
import type { OutputSink, StepOutcome } from '../executor.ts'
import { childRunId } from './child-id.ts'
import { childParams } from './child-params.ts'
import { childResult, fanOutResult, hasSucceeded } from './child-results.ts'
import type { ChildEnd, ChildRequest, ChildRuns } from './child-runs.ts'

/** One attempt of a step that runs other DAGs. It starts no process: the children are ordinary runs. */
export interface ChildCallContext {
  readonly call: ChildCall
  readonly step: string
  /** 0 for the first execution of the step; each repetition adds 1. */
  readonly iteration: number
  readonly parentRunId: string
  readonly scope: Scope
  readonly run: CommandRunner
  readonly children: ChildRuns
  readonly stdout: OutputSink
  readonly signal: AbortSignal
}

export interface ChildCallOutcome extends StepOutcome {
  /** True when a child ended with partial success, and none failed. */
  readonly partial: boolean
}

/**
 * Runs the child, or one child per item, waits until all have ended, and writes their results as the output of the
 * step.
 */
export async function runChildCall(context: ChildCallContext): Promise<ChildCallOutcome> {
  const { call, stdout, signal } = context
  const requests = await requestsOf(context)
  const stop = (): void => {
    if (signal.reason !== 'lease_lost') for (const { runId } of requests) void context.children.stop(runId)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const ends = await runAll(requests, context, call.parallel?.maxConcurrent ?? 1)
    const [only] = ends
    if (call.parallel === undefined && only !== undefined) {
      await stdout(Buffer.from(`${childResult(only)}\n`))
    } else await stdout(Buffer.from(`${fanOutResult(ends)}\n`))
    return outcomeOf(ends, requests.length)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function requestsOf(context: ChildCallContext): Promise<ChildRequest[]> {
  const { call, scope, run } = context
  if (call.parallel === undefined) {
    const params = call.params === undefined ? undefined : await childParams(call.params, scope, run)
    return [await request(context, scope, params)]
  }
  const { items } = call.parallel
  const read =
    typeof items === 'string'
      ? parallelItems(await expand(items, scope, run))
      : countItems(await Promise.all(items.map((item) => expand(item, scope, run))))
  if ('fault' in read) throw new Error(read.fault)
  const requests = new Map<string, ChildRequest>()
  const variables = new Map(scope.variables)
  const withItem = { ...scope, variables }
  for (const item of read.items) {
    variables.set('ITEM', item)
    const params = call.params === undefined ? item : await childParams(call.params, withItem, run)
    const one = await request(context, withItem, params)
    requests.set(one.runId, one)
  }
  return [...requests.values()]
}

async function request(
  { call, step, iteration, parentRunId, run }: ChildCallContext,
  scope: Scope,
  params: string | undefined,
): Promise<ChildRequest> {
  const dag = (await expand(call.dag, scope, run)).trim()
  const bytes = Buffer.byteLength(params ?? '')
  if (bytes > limits.paramsBytesMax) {
    throw new Error(`the params of ${dag} have ${bytes} bytes, a run has at most ${limits.paramsBytesMax}`)
  }
  return { runId: childRunId({ parentRunId, step, iteration, dag, params }), dag, params }
}

/** Runs the children in order, with limited concurrency. After a stop, no further child is begun. */
async function runAll(
  requests: readonly ChildRequest[],
  { children, signal }: ChildCallContext,
  maxConcurrent: number,
): Promise<ChildEnd[]> {
  const ends: (ChildEnd | undefined)[] = requests.map(() => undefined)
  const waiting = requests.entries()
  // One after the other, so that the children are in the order of the items wherever they are listed.
  let begun = Promise.resolve()
  const runNext = async (): Promise<void> => {
    for (const [index, one] of waiting) {
      if (signal.aborted) return
      begun = begun.then(() => children.begin(one))
      await begun
      if (signal.aborted && signal.reason !== 'lease_lost') void children.stop(one.runId)
      ends[index] = await children.ended(one.runId)
    }
  }
  const lanes = Array.from({ length: Math.min(Math.max(1, maxConcurrent), requests.length) }, runNext)
  const results = await Promise.allSettled(lanes)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return ends.flatMap((end) => end ?? [])
}

function outcomeOf(ends: readonly ChildEnd[], wanted: number): ChildCallOutcome {
  const failed = ends.filter((end) => !hasSucceeded(end))
  const partial = ends.some((end) => end.status === 'partial_success')
  if (failed.length === 0 && ends.length === wanted) return { exitCode: 0, error: '', partial }
  const [first] = failed
  const which =
    first === undefined ? '' : `: ${first.dagName} (${first.runId}) ${first.status.replace('_', ' ')}`
  const error =
    wanted === 1
      ? `child run did not succeed${which}`
      : `${failed.length} of ${wanted} child runs did not succeed${which}`
  return { exitCode: 1, error, partial: false }
}
