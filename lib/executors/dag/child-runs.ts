import type { FinalRunStatus } from '#lib/core/status.ts'

/** One child run that a step wants. */
export interface ChildRequest {
  /** Made from the parent, the step, its round and the params, so that a new owner of the parent finds the same run. */
  readonly runId: string
  /** A local DAG of the same file, or a file name. */
  readonly dag: string
  /** As a caller of the API would give them. */
  readonly params: string | undefined
}

/** A child run that has come to its end. */
export interface ChildEnd {
  readonly dagName: string
  readonly runId: string
  readonly status: FinalRunStatus
  /** Display form: `1=a NAME=b`. */
  readonly params: string
  /** Captured variables of its steps. */
  readonly outputs: Readonly<Record<string, string>>
}

/** How the dag executor reaches the other runs; the runner implements it over the database. */
export interface ChildRuns {
  /**
   * Creates the run, or finds it when it is there already; one that failed in an earlier attempt of the step is run
   * again unless the parent was only taken over.
   * @throws Error that says why no such run may be: unknown DAG, a cycle, too deep
   */
  readonly begin: (request: ChildRequest) => Promise<void>
  /** Settles when the run has ended; rejects when the signal is aborted with `lease_lost`. */
  readonly ended: (runId: string) => Promise<ChildEnd>
  /** Asks the run to stop, with everything below it. */
  readonly stop: (runId: string) => Promise<void>
}
