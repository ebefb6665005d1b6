/** Where changes of DAGs come from; `service`: the service itself, as when the base configuration has changed. */
export const changeSources = ['page', 'cli', 'api', 'folder', 'service'] as const

/** Who changed a DAG, as recorded with the version. */
export interface Change {
  readonly source: (typeof changeSources)[number]
  /** Undefined without authentication. */
  readonly by?: string | undefined
  /** Why, in the words of the author. */
  readonly message?: string | undefined
  /** The version whose text it restores. */
  readonly restored?: number
}

/** For the triggers of `millrace.dag`, which keep the version: the setting `millrace.change` of a statement. */
export const changeText = (change: Change = { source: 'service' }): string => JSON.stringify(change)
