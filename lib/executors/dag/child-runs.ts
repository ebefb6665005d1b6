import type { FinalRunStatus } from '#lib/core/status.ts'

/** A request of a step for one child run. */
export interface ChildRequest {
  /**
   * Derived from the parent, the step, its iteration and the params, so that a new owner of the parent finds the same
   * run.
   */
  readonly runId: string
  /** Name of a local DAG of the same file, or of a stored file. */
  readonly dag: string
  /** In the form in which a caller of the API gives them. */
  readonly params: string | undefined
}

/** A child run that has ended. */
export interface ChildEnd {
  readonly dagName: string
  readonly runId: string
  readonly status: FinalRunStatus
  /** Display form: `1=a NAME=b`. */
  readonly params: string
  /** Captured variables of its steps. */
  readonly outputs: Readonly<Record<string, string>>
}

/** Access to child runs for the dag executor; the runner implements it on the database. */
export interface ChildRuns {
  /**
   * Creates the run, or finds it when it exists. A run that failed in an earlier attempt of the step is retried, unless
   * the parent was only taken over.
   * @throws Error that says why the run cannot exist: unknown DAG, a cycle, nested too deeply
   */
  readonly begin: (request: ChildRequest) => Promise<void>
  /** Settles when the run has ended; rejects when the signal is aborted with `lease_lost`. */
  readonly ended: (runId: string) => Promise<ChildEnd>
  /** Asks the run and its descendants to stop. */
  readonly stop: (runId: string) => Promise<void>
}
