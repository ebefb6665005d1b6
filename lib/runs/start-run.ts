import { badRequest, invariant, ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { definitionHash } from '#lib/dags/definition-hash.ts'
import { getDag } from '#lib/dags/get-dag.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { formatProblem } from '#lib/definition/read-spec.ts'
import { createRun } from './create-run.ts'
import type { CreateRunOutcome, CreateRunRequest } from './create-runs.ts'
import { newRunId } from './new-run-id.ts'
import type { DefinitionReader } from './read-definition.ts'
import { checkGivenParams } from './run-params.ts'

/** The text that a run is made from. */
export interface RunSource {
  /** Undefined for a spec that is not stored as a file. */
  readonly fileName: string | undefined
  /** The name of the DAG when its spec gives none. */
  readonly defaultName: string
  readonly spec: string
  readonly base: string | undefined
  /** Of both texts, where they are stored under it. */
  readonly hash?: string
}

export interface StartOptions {
  readonly mode: 'start' | 'enqueue'
  readonly trigger: CreateRunRequest['trigger']
  /** Milliseconds since 1970; only the id is made of it. */
  readonly now: number
  readonly params?: string
  readonly dagRunId?: string
  readonly singleton: boolean
  readonly queue?: string
  /** Of the request, so that one that is sent twice makes one run. */
  readonly idempotencyKey?: string | undefined
  /** The trace that the run shall belong to. */
  readonly traceparent?: string
  /** The instant of a schedule that the run is made for: part of a unique key, so that many ticks make one run. */
  readonly scheduled?: { readonly at: number; readonly kind: string }
}

/**
 * Makes a run of a definition. Nothing is resolved yet: the runner does that once, and the run keeps what came of it.
 * @throws ServiceError `bad_request` for a spec with faults or params that do not fit its schema, `already_exists` when
 * the id is taken, `already_running` when only one run may be active
 */
export async function startRun(
  db: Database,
  definitions: DefinitionReader,
  source: RunSource,
  options: StartOptions,
): Promise<{ dagRunId: string }> {
  const request = requestRun(definitions, source, options)
  return answer(request, await createRun(db, request))
}

/**
 * Makes a run of a stored file. What this process remembers of the file is checked by the statement that makes the run:
 * only when it has changed since, the file is asked for.
 * @throws ServiceError as {@link startRun}; `not_found`
 */
export async function startStoredRun(
  db: Database,
  definitions: DefinitionReader,
  fileName: string,
  options: StartOptions,
): Promise<{ dagRunId: string }> {
  const request = rememberedRequest(definitions, fileName, options)
  if (request !== undefined) {
    const outcome = await createRun(db, request)
    if (outcome?.result !== 'changed') return answer(request, outcome)
  }
  return await startRun(db, definitions, await getDag(db, fileName), options)
}

/** @returns undefined when nothing is remembered that the run could be made of */
function rememberedRequest(
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

function answer(
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
  invariant(outcome.result === 'created', `a root run may always be made, got ${outcome.result}`)
  return { dagRunId: runId }
}

/**
 * What a run of a definition is made of.
 * @throws ServiceError `bad_request` for a spec with faults or params that do not fit its schema
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
    throw badRequest(`the spec of ${defaultName} has faults: ${faults.join('; ')}`, { faults })
  }
  checkGivenParams(dag, options.params)
  return requestOf(dag, { fileName: source.fileName, hash, spec, base: base ?? null }, options)
}

function requestOf(
  dag: Definition,
  of: { fileName: string | undefined; hash: string; spec: string | null; base: string | null },
  options: StartOptions,
): CreateRunRequest {
  return {
    runId: options.dagRunId || newRunId(options.now),
    dagName: dag.name,
    fileName: of.fileName ?? null,
    spec: of.spec,
    baseSpec: of.base,
    definitionHash: of.hash,
    document: null,
    params: options.params ?? null,
    trigger: options.trigger,
    queue: options.queue || (dag.queue ?? dag.name),
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
