import { failpoint } from '#lib/core/failpoint.ts'
import { limits } from '#lib/core/limits.ts'
import { isFinalRun } from '#lib/core/status.ts'
import { calledFile } from '#lib/dags/called-file.ts'
import { findDagText } from '#lib/dags/find-dag-text.ts'
import type { Database } from '#lib/db/client.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { resetForRetry } from '#lib/engine/reset-for-retry.ts'
import type { ChildRequest } from '#lib/executors/dag/child-runs.ts'
import { definitionOf, type ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import type { DefinitionReader, DefinitionText } from '#lib/runs/read/read-definition.ts'
import { createRuns, type CreateRunRequest } from '#lib/runs/start/create-runs.ts'
import { readChild } from '#lib/runs/children/read-child.ts'
import { retryRun } from '#lib/runs/start/retry-run.ts'
import { runLineage, type LineageEntry } from '#lib/runs/children/run-lineage.ts'
import type { ChildView } from './child-view.ts'

export interface ChildContext {
  readonly db: Database
  readonly definitions: DefinitionReader
  readonly parent: ClaimedRun
  readonly ancestry: Ancestry
  readonly view: ChildView
}

export interface StartedChild {
  readonly runKey: string
  /**
   * True when the child existed already. It may have ended before this runner watched it, so no notification will come.
   */
  readonly mayHaveEnded: boolean
}

/** Lineage of the parent run (lib/runs/children/run-lineage.ts), read when its first child starts. */
export class Ancestry {
  readonly #db: Database
  readonly #runKey: string
  #entries: Promise<LineageEntry[]> | undefined

  constructor(db: Database, run: ClaimedRun) {
    this.#db = db
    this.#runKey = run.runKey
  }

  async entries(): Promise<readonly LineageEntry[]> {
    this.#entries ??= runLineage(this.#db, this.#runKey)
    try {
      return await this.#entries
    } catch (error) {
      this.#entries = undefined
      throw error
    }
  }
}

/**
 * Creates a child run, or finds the one that an earlier owner created. A child that failed in an earlier attempt of the
 * step is retried; it keeps the steps that succeeded.
 * @throws Error when the child cannot be created; its message is shown to users
 */
export async function startChild(request: ChildRequest, context: ChildContext): Promise<StartedChild> {
  const { db, parent, view } = context
  if (parent.depth + 1 > limits.childDepthMax) {
    throw new Error(`child runs nest deeper than ${limits.childDepthMax}`)
  }
  const called = await findCalledDag(request.dag, context)
  await refuseCycle(called, context)
  failpoint('child.creating')
  const [outcome] = await createRuns(db, [requestFor(request, called, context)])
  failpoint('child.created')
  if (outcome?.runKey === undefined)
    throw new Error('no child run may be started: the run is being stopped, or is lost')
  const { runKey, result } = outcome
  if (result === 'exists' && !view.reattach) await retryIfUnsuccessful(runKey, context)
  return { runKey, mayHaveEnded: result === 'exists' }
}

interface CalledDag {
  readonly dag: Definition
  readonly text: DefinitionText
  readonly document: string | undefined
  /** Undefined for a local DAG of an inline spec. */
  readonly fileName: string | undefined
}

/** Finds the DAG that a step calls: a local DAG of the same file first, then a stored file. */
async function findCalledDag(name: string, { db, definitions, parent }: ChildContext): Promise<CalledDag> {
  const local = await definitions.localDag(db, definitionOf(parent), name)
  if (local !== undefined) return { ...local, document: name, fileName: parent.fileName }
  const fileName = calledFile(name)
  const found = await findDagText(db, fileName)
  if (found === undefined) throw new Error(`DAG ${JSON.stringify(name)} not found`)
  const text = { hash: found.hash, fileName, spec: found.spec, base: found.base }
  const { definition: dag } = await definitions.plan(db, text, undefined)
  return { dag, text, document: undefined, fileName }
}

/**
 * Refuses a DAG that is already running among the ancestors, because the recursion would never end.
 * @throws Error
 */
async function refuseCycle(
  { text, fileName, document }: CalledDag,
  { ancestry }: ChildContext,
): Promise<void> {
  const isSame = (entry: LineageEntry): boolean =>
    entry.document === document &&
    (fileName === undefined ? entry.definitionHash === text.hash : entry.fileName === fileName)
  if ((await ancestry.entries()).some(isSame)) {
    throw new Error(`DAG ${JSON.stringify(document ?? fileName)} calls itself`)
  }
}

function requestFor(
  { runId, params }: ChildRequest,
  { dag, text, document, fileName }: CalledDag,
  { parent, view }: ChildContext,
): CreateRunRequest {
  return {
    runId,
    dagName: dag.name,
    fileName: fileName ?? null,
    spec: text.spec,
    baseSpec: text.base ?? null,
    definitionHash: text.hash,
    document: document ?? null,
    params: params ?? null,
    trigger: 'child',
    queue: null,
    maxActiveRuns: 1,
    priority: 0,
    labels: dag.workerSelector,
    mode: 'start',
    singleton: false,
    parent: { runKey: parent.runKey, token: parent.token, step: view.step, round: view.iteration },
    histRetentionDays: dag.histRetentionDays,
    histRetentionRuns: null,
    scheduledAt: null,
    scheduleKind: null,
    ...(view.traceparent !== undefined && { traceparent: view.traceparent }),
  }
}

/** Retries a child that ended without success. A child that is active or has succeeded is left alone. */
async function retryIfUnsuccessful(runKey: string, { db, definitions }: ChildContext): Promise<void> {
  const child = await readChild(db, runKey)
  if (child === undefined || !isFinalRun(child.status)) return
  if (child.status === 'success' || child.status === 'partial_success') return
  const { definitionHash: hash, fileName, spec, baseSpec: base } = child
  const plan = await definitions.plan(db, { hash, fileName, spec, base }, child.document)
  const dropSteps = resetForRetry(plan, child.steps)
  await retryRun(db, { runKey, expectedAttempt: child.attempt, dropSteps })
}
