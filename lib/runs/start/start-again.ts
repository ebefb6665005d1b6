import { badRequest } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { DefinitionReader } from '#lib/runs/read/read-definition.ts'
import { readRunSpec } from '#lib/runs/read/read-run-spec.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'
import { requestRun, startRun, type RunSource } from './start-run.ts'

/**
 * Starts a new run from the definition and params of another run, which is unchanged.
 * @param input.dagName DAG name of the new run, for a definition without a name; default: that of the old run
 * @throws ServiceError `already_exists` when the id is taken, `already_running` when only one run may be active,
 * `bad_request` for a `dagName` that differs from the name in the definition
 */
export async function startAgain(
  db: Database,
  definitions: DefinitionReader,
  input: {
    readonly run: RunRecord
    readonly dagRunId?: string
    readonly dagName?: string
    readonly singleton?: boolean
    /** Milliseconds since 1970. */
    readonly now: number
    readonly triggeredBy?: string
    readonly idempotencyKey?: string | undefined
  },
): Promise<{ dagRunId: string }> {
  const { run, dagRunId, now, idempotencyKey, singleton = false } = input
  const source = await sourceOf(db, run, input.dagName || run.dagName)
  const options = {
    mode: 'start',
    trigger: 'retry',
    now,
    singleton,
    idempotencyKey,
    ...(input.triggeredBy !== undefined && { triggeredBy: input.triggeredBy }),
    ...(dagRunId !== undefined && { dagRunId }),
    ...(run.paramsGiven !== undefined && { params: run.paramsGiven }),
    ...(run.queue !== undefined && { queue: run.queue }),
  } as const
  const named = requestRun(definitions, source, options).dagName
  if (input.dagName && named !== input.dagName) {
    throw badRequest(`dagName: the spec of the run already names its DAG: ${named}`)
  }
  return startRun(db, definitions, source, options)
}

async function sourceOf(db: Database, run: RunRecord, defaultName: string): Promise<RunSource> {
  const { spec, base } = await readRunSpec(db, run.definitionHash)
  return { fileName: defaultName === run.dagName ? run.fileName : undefined, defaultName, spec, base }
}
