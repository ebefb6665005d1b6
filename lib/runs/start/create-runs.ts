import type { Database } from '#lib/db/client.ts'

/** The request for a new run. Absent values are null, because it is sent as JSON. */
export interface CreateRunRequest {
  readonly runId: string
  readonly dagName: string
  readonly fileName: string | null
  /** Null: use the stored text of the file, if its hash is still `definitionHash`. */
  readonly spec: string | null
  readonly baseSpec: string | null
  readonly definitionHash: string
  /** Name of the local DAG within the definition; null for its first document. */
  readonly document: string | null
  readonly params: string | null
  /** Who requested it, if known. */
  readonly triggeredBy?: string
  readonly trigger: 'api' | 'sql' | 'schedule' | 'retry' | 'child'
  readonly queue: string | null
  /** The queue of the DAG, if the caller chose another one: the limit of the DAG applies there too. */
  readonly homeQueue?: string
  readonly maxActiveRuns: number
  readonly priority: number
  readonly labels: Readonly<Record<string, string>>
  readonly mode: 'start' | 'enqueue'
  readonly singleton: boolean
  readonly parent: {
    readonly runKey: string
    readonly token: string
    readonly step: string
    readonly round: number
  } | null
  readonly histRetentionDays: number
  /** Maximum number of root runs of the DAG to keep; null: no limit. */
  readonly histRetentionRuns: number | null
  /** Milliseconds since 1970. */
  readonly scheduledAt: number | null
  readonly scheduleKind: string | null
  /** Idempotency key: a second request with the same key for the same DAG creates nothing and returns the first run. */
  readonly idempotencyKey?: string
  /** The trace that the run joins; absent: a trace of its own. */
  readonly traceparent?: string
}

export interface CreateRunOutcome {
  readonly result: 'created' | 'repeated' | 'exists' | 'already_running' | 'not_allowed' | 'changed'
  /** Id of the existing run, if this request repeats an earlier one. */
  readonly runId?: string
  /** Absent when no run was created or found. */
  readonly runKey?: string
}

/** Creates runs in one statement. The outcomes are in the order of the requests. */
export function createRuns(
  db: Database,
  requests: readonly CreateRunRequest[],
): Promise<readonly CreateRunOutcome[]> {
  const isTraced = requests.some(({ traceparent }) => traceparent !== undefined)
  return db.call(isTraced ? 'create_traced_runs' : 'create_runs', requests)
}
