import type { ShownSetting } from '#lib/config/settings/shown.ts'
import type { NamedFinding } from '#lib/doctor/check.ts'
import type { NodeState } from './remote-nodes/check-nodes.ts'
import type { Database } from '#lib/db/client.ts'
import type { DagDefaults } from '#lib/dags/dag-columns.ts'
import type { DefinitionReader } from '#lib/runs/read/read-definition.ts'
import type { RunWatch } from '#lib/runs/read/run-watch.ts'
import type { TickReport } from '#lib/tick/run-tick.ts'
import type { Caller } from '#lib/api/auth/auth.ts'
import type { DagStatsReader } from '#lib/api/answers/dag-stats.ts'
import type { SharedPoll } from './live/shared-poll.ts'
import type { Metrics } from '#lib/api/metrics/metrics.ts'
import type { Presentation } from './present/presentation.ts'
import type { Resources } from '#lib/api/metrics/resources.ts'
import type { presentSession } from './present/session.ts'
import type { OverviewReader } from '#lib/api/answers/overview.ts'
import type { RunDetails } from '#lib/api/answers/run-details.ts'
import type { TakeSlot } from '#lib/api/requests/share-slots.ts'
import type { SignIn } from '#lib/api/auth/sign-in.ts'

/** What an admin may know of the deployment: nothing secret. */
export interface Deployment {
  readonly examine: () => Promise<NamedFinding[]>
  readonly settings: () => Promise<AppliedSetting[]>
}

interface AppliedSetting extends Omit<ShownSetting, 'source'> {
  readonly source: ShownSetting['source'] | 'database'
  readonly appliedBy?: string
}

/** Services that the endpoints use. Created once per process (functions/api/index.ts). */
export interface Services extends Presentation {
  readonly db: Database
  readonly definitions: DefinitionReader
  readonly watch: RunWatch
  readonly runDetails: RunDetails
  readonly dagStats: DagStatsReader
  readonly overview: OverviewReader
  /** For the streams of lists. */
  readonly sharedPoll: SharedPoll
  readonly metrics: Metrics
  readonly resources: Resources
  /** The OpenAPI document. */
  readonly openApi: () => Readonly<Record<string, unknown>>
  readonly about: {
    readonly version: string
    /** Milliseconds since 1970. */
    readonly startedAt: number
  }
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Those that count for the whole deployment. */
  readonly defaults: () => Promise<DagDefaults>
  /** Bounds the searches of logs. */
  readonly takeLogSearch: TakeSlot
  /** Bounds the answers with large outputs of runs. */
  readonly takeLargeOutputs: TakeSlot
  readonly signIn: SignIn
  readonly showSession: (caller: Caller) => ReturnType<typeof presentSession>
  readonly deployment: Deployment
  /** Asks the remote nodes. */
  readonly checkNodes: () => Promise<NodeState[]>
  /** Performs one tick. */
  readonly tick: () => Promise<TickReport>
}
