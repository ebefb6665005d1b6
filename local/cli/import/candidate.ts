/** A DAG to import, or why there is none. */
export interface Candidate {
  readonly name: string
  readonly spec?: string
  readonly fault?: string
  readonly schedule?: string
  /** Of the crontab, counted from 1. */
  readonly line?: number
  readonly notes?: readonly string[]
  /** Its schedule is to rest, whatever the others do. */
  readonly isSuspended?: boolean
}
