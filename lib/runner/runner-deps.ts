import type { Database } from '#lib/db/client.ts'
import type { ExecutorSettings } from '#lib/executors/executor.ts'
import type { Log } from '#lib/telemetry/log.ts'
import type { Traces } from '#lib/telemetry/traces.ts'
import type { DefinitionReader } from '#lib/runs/read/read-definition.ts'
import type { RecordItem, RecordStep } from '#lib/runs/claim/record-progress.ts'
import type { ChildRegistry } from './children/child-registry.ts'
import type { DatabaseClock } from './fencing/database-clock.ts'
import type { JournalLanes } from './journal/journal-lanes.ts'
import type { Lease } from './fencing/lease.ts'
import type { PreparationDeps } from './inputs/prepare-run.ts'
import type { Strays } from './fencing/strays.ts'
import type { Warden } from './fencing/warden.ts'

/** Dependencies and settings that all sessions of a runner share. */
export interface RunnerDeps extends PreparationDeps {
  readonly db: Database
  readonly log: Log
  readonly clock: DatabaseClock
  readonly lease: Lease
  readonly journal: JournalLanes<RecordStep, RecordItem>
  readonly warden: Warden
  readonly strays: Strays
  readonly definitions: DefinitionReader
  readonly children: ChildRegistry
  readonly executors: ExecutorSettings
  /** Receives spans; undefined: tracing is off. */
  readonly traces?: Traces | undefined
}
