import type { LabelSet } from '#lib/core/status.ts'
import type { LogStore } from '#lib/logs/log-store.ts'

/** What runs are presented with. */
export interface Presentation {
  /** Says where a log is. */
  readonly logs: LogStore
  readonly labels: LabelSet
}
