import type { Database } from '#lib/db/client.ts'

/** What a run is made of. Absent values are null: the request travels as JSON. */
export interface CreateRunRequest {
  readonly runId: string
  readonly dagName: string
  readonly fileName: string | null
  /** Null: that of the file, if its definition is still this one. */
  readonly spec: string | null
  readonly baseSpec: string | null
  readonly definitionHash: string
  /** Name of the local DAG within the definition; null for its first document. */
  readonly document: string | null
  readonly params: string | null
  readonly trigger: 'api' | 'sql' | 'schedule' | 'retry' | 'child'
  readonly queue: string | null
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
  /** Root runs of the DAG that are kept at most; null: no limit. */
  readonly histRetentionRuns: number | null
  /** Milliseconds since 1970. */
  readonly scheduledAt: number | null
  readonly scheduleKind: string | null
  /** A second request for the same DAG with the same key makes nothing, and finds what the first has made. */
  readonly idempotencyKey?: string
  /** The trace that the run belongs to, when it is not one of its own. */
  readonly traceparent?: string
}

export interface CreateRunOutcome {
  readonly result: 'created' | 'repeated' | 'exists' | 'already_running' | 'not_allowed' | 'changed'
  /** Of the run that the first request has made, when this one repeats it. */
  readonly runId?: string
  /** Absent when nothing was made and nothing was found. */
  readonly runKey?: string
}

/** Makes runs in one statement; the outcomes stand in the order of the requests. */
export function createRuns(
  db: Database,
  requests: readonly CreateRunRequest[],
): Promise<readonly CreateRunOutcome[]> {
  const isTraced = requests.some(({ traceparent }) => traceparent !== undefined)
  return db.call(isTraced ? 'create_traced_runs' : 'create_runs', requests)
}
