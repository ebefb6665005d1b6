/** A DAG to import: its spec, or the fault that prevents the import. */
export interface Candidate {
  readonly name: string
  readonly spec?: string
  readonly fault?: string
  readonly schedule?: string
  /** Line of the crontab, counted from 1. */
  readonly line?: number
  readonly notes?: readonly string[]
  /** Imported with its schedule suspended, regardless of the other DAGs. */
  readonly isSuspended?: boolean
}
