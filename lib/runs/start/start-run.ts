import { badRequest, invariant, ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { definitionHash } from '#lib/dags/definition-hash.ts'
import { findDag } from '#lib/dags/get-dag.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { formatProblem } from '#lib/definition/read-spec.ts'
import { createRun } from './create-run.ts'
import type { CreateRunOutcome, CreateRunRequest } from './create-runs.ts'
import { newRunId } from './new-run-id.ts'
import type { DefinitionReader } from '#lib/runs/read/read-definition.ts'
import { checkGivenParams } from './run-params.ts'

/** The text that a run is created from. */
export interface RunSource {
  /** Undefined for an inline spec, which is not stored as a file. */
  readonly fileName: string | undefined
  /** Name of the DAG if the spec has none. */
  readonly defaultName: string
  readonly spec: string
  readonly base: string | undefined
  /** Content hash of `spec` and `base`, if already stored. */
  readonly hash?: string
}

export interface StartOptions {
  readonly mode: 'start' | 'enqueue'
  readonly trigger: CreateRunRequest['trigger']
  readonly triggeredBy?: string
  /** Milliseconds since 1970; used only to generate the run id. */
  readonly now: number
  readonly params?: string
  readonly dagRunId?: string
  readonly singleton: boolean
  readonly queue?: string
  /** Idempotency key: two requests with the same key create one run. */
  readonly idempotencyKey?: string | undefined
  /** The trace that the run joins. */
  readonly traceparent?: string
  /** The scheduled time of the run. Part of a unique key, so that several ticks create only one run. */
  readonly scheduled?: { readonly at: number; readonly kind: string }
}

/**
 * Creates a run of a definition. Params and environment are evaluated later by the runner, once, and stored with the
 * run.
 * @throws ServiceError `bad_request` for a spec with errors or params that do not match its schema, `already_exists`
 * when the id is taken, `already_running` when only one run may be active
 */
export async function startRun(
  db: Database,
  definitions: DefinitionReader,
  source: RunSource,
  options: StartOptions,
): Promise<{ dagRunId: string }> {
  const request = requestRun(definitions, source, options)
  return toResult(request, await createRun(db, request))
}

/**
 * Creates a run of a stored file, or of the only DAG with this `name`. If the definition of the file is cached, the
 * statement that creates the run also checks that it is current; the file is read only if it has changed.
 * @throws ServiceError as {@link startRun}; `not_found`
 */
export async function startStoredRun(
  db: Database,
  definitions: DefinitionReader,
  fileOrName: string,
  options: StartOptions,
): Promise<{ dagRunId: string }> {
  const request = cachedRequest(definitions, fileOrName, options)
  if (request !== undefined) {
    const outcome = await createRun(db, request)
    if (outcome?.result !== 'changed') return toResult(request, outcome)
  }
  return await startRun(db, definitions, await findDag(db, fileOrName), options)
}

/** @returns undefined when no usable definition of the file is cached */
function cachedRequest(
  definitions: DefinitionReader,
  fileName: string,
  options: StartOptions,
): CreateRunRequest | undefined {
  const last = definitions.lastOf(fileName)
  if (last === undefined || last.reading.problems.length > 0) return undefined
  const { dag } = last.reading
  try {
    checkGivenParams(dag, options.params)
  } catch {
    return undefined
  }
  return requestOf(dag, { fileName, hash: last.hash, spec: null, base: null }, options)
}

function toResult(
  { runId, dagName }: CreateRunRequest,
  outcome: CreateRunOutcome | undefined,
): { dagRunId: string } {
  invariant(outcome !== undefined, 'one request has one outcome')
  if (outcome.result === 'exists') {
    throw new ServiceError('already_exists', `run ${runId} of ${dagName} already exists`)
  }
  if (outcome.result === 'already_running') {
    throw new ServiceError('already_running', `${dagName} is already running`)
  }
  if (outcome.result === 'repeated') return { dagRunId: outcome.runId ?? runId }
  invariant(outcome.result === 'created', `a root run may always be created, got ${outcome.result}`)
  return { dagRunId: runId }
}

/**
 * The request that creates a run of a definition.
 * @throws ServiceError `bad_request` for a spec with errors or params that do not match its schema
 */
export function requestRun(
  definitions: DefinitionReader,
  source: RunSource,
  options: StartOptions,
): CreateRunRequest {
  const { spec, base, defaultName } = source
  const hash = source.hash ?? definitionHash(spec, base)
  const { dag, problems } = definitions.parse({ hash, spec, base, fileName: defaultName })
  if (problems.length > 0) {
    const faults = problems.map(formatProblem)
    throw badRequest(`the spec of ${defaultName} has errors: ${faults.join('; ')}`, { faults })
  }
  checkGivenParams(dag, options.params)
  return requestOf(dag, { fileName: source.fileName, hash, spec, base: base ?? null }, options)
}

function requestOf(
  dag: Definition,
  source: { fileName: string | undefined; hash: string; spec: string | null; base: string | null },
  options: StartOptions,
): CreateRunRequest {
  const homeQueue = dag.queue ?? dag.name
  const queue = options.queue || homeQueue
  return {
    runId: options.dagRunId || newRunId(options.now),
    dagName: dag.name,
    fileName: source.fileName ?? null,
    spec: source.spec,
    baseSpec: source.base,
    definitionHash: source.hash,
    document: null,
    params: options.params ?? null,
    trigger: options.trigger,
    ...(options.triggeredBy !== undefined && { triggeredBy: options.triggeredBy }),
    queue,
    ...(queue !== homeQueue && { homeQueue }),
    maxActiveRuns: dag.maxActiveRuns,
    priority: 0,
    labels: dag.workerSelector,
    mode: options.mode,
    singleton: options.singleton,
    parent: null,
    histRetentionDays: dag.histRetentionDays,
    histRetentionRuns: dag.histRetentionRuns ?? null,
    scheduledAt: options.scheduled?.at ?? null,
    scheduleKind: options.scheduled?.kind ?? null,
    ...(options.traceparent !== undefined && { traceparent: options.traceparent }),
    ...(options.idempotencyKey !== undefined && { idempotencyKey: options.idempotencyKey }),
  }
}
