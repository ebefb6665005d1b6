/** An action on all selected rows. */
export interface BulkAction {
  /** `Stop` */
  readonly name: string
  /** `stopped` */
  readonly done: string
  /** How many of the selected rows it applies to. */
  readonly count: number
  /** What is done, with numbers: `Stop 14 runs of 3 DAGs`. */
  readonly what: string
  /** @throws CallFailure when the result is unknown */
  readonly send: () => Promise<readonly BulkResult[]>
}

/** The result for one of them. */
export interface BulkResult {
  readonly name: string
  readonly href: string
  /** Why it failed; absent: it did not. */
  readonly message?: string
}
