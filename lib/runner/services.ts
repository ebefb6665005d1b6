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

/** What all runs of a runner share. */
export interface RunnerServices {
  readonly db: Database
  readonly logs: LogStore
  readonly log: Log
  /** Who claims: unique among all runners. */
  readonly owner: string
  readonly clock: DatabaseClock
  readonly lease: Lease
  readonly journal: Journal<RecordStep, RecordItem>
  readonly warden: Warden
  readonly strays: Strays
  readonly plans: PlanCache
  readonly children: ChildRegistry
  /** The whole environment of the service: only for secrets that DAGs name. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What steps inherit of it. */
  readonly inherited: ReadonlyMap<string, string>
  /** The folder of the DAG files, where there is one: paths in a DAG are relative to it. */
  readonly dagsDir: string | undefined
  /** Below it each DAG has a folder of its own where there is no folder of DAG files. */
  readonly workDir: string
  readonly executors: ExecutorSettings
  /** Where spans go; undefined: nobody traces. */
  readonly traces?: Traces | undefined
}
