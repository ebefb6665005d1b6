import type { Database } from '#lib/db/client.ts'
import type { ExecutorSettings } from '#lib/executors/executor.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import type { Log } from '#lib/telemetry/log.ts'
import type { Traces } from '#lib/telemetry/traces.ts'
import type { RecordItem, RecordStep } from '#lib/runs/record-progress.ts'
import type { ChildRegistry } from './child-registry.ts'
import type { DatabaseClock } from './database-clock.ts'
import type { Journal } from './journal.ts'
import type { Lease } from './lease.ts'
import type { PlanCache } from './plan-cache.ts'
import type { Strays } from './strays.ts'
import type { Warden } from './warden.ts'

/** Services that all runs of a runner share. */
export interface RunnerServices {
  readonly db: Database
  readonly logs: LogStore
  readonly log: Log
  /** Identifies this runner in claims; unique among all runners. */
  readonly owner: string
  readonly clock: DatabaseClock
  readonly lease: Lease
  readonly journal: Journal<RecordStep, RecordItem>
  readonly warden: Warden
  readonly strays: Strays
  readonly plans: PlanCache
  readonly children: ChildRegistry
  /** The whole environment of the service; used only for secrets that DAGs name. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The part of it that steps inherit. */
  readonly inherited: ReadonlyMap<string, string>
  /** Folder of the DAG files, if there is one; relative paths in a DAG start there. */
  readonly dagsDir: string | undefined
  /** Without such a folder, each DAG gets a folder of its own below this one. */
  readonly workDir: string
  readonly executors: ExecutorSettings
  /** Receives spans; undefined: tracing is off. */
  readonly traces?: Traces | undefined
}
