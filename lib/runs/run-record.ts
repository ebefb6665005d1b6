import type { RunStatus, StepStatus } from '#lib/core/status.ts'
import type { Ending } from '#lib/engine/progress.ts'

/** How a run is named to callers. */
export interface RunRef {
  readonly dagName: string
  readonly runId: string
}

/** A run as it is read for callers; without its steps. Times are milliseconds since 1970. */
export interface RunRecord extends RunRef {
  readonly runKey: string
  /** Undefined for runs of an inline spec. */
  readonly fileName: string | undefined
  /** Name of the local DAG in its file; undefined: the file's first. */
  readonly document: string | undefined
  readonly definitionHash: string
  readonly status: RunStatus
  readonly attempt: number
  readonly root: RunRef
  readonly parent: RunRef | undefined
  readonly queue: string | undefined
  readonly queuedAt: number | undefined
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  /** The text that the caller gave. */
  readonly paramsGiven: string | undefined
  /** The params as the runner resolved them; undefined until it has. */
  readonly params: readonly { readonly name: string; readonly value: string }[] | undefined
  readonly ending: Ending | undefined
  readonly error: string
}

/** The stored state of a step. A step that has not begun has none. */
export interface StepRecord {
  readonly name: string
  readonly place: number
  readonly status: StepStatus
  /** The attempt of the run in which the step last ran: where its log is. */
  readonly attempt: number
  readonly retryCount: number
  readonly doneCount: number
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  readonly exitCode: number | undefined
  readonly error: string
  readonly tolerated: boolean
  readonly outputs: Readonly<Record<string, string>>
  readonly conditions: readonly { readonly met: boolean; readonly error: string }[]
}

/** A child run as its parent's node shows it. */
export interface ChildRecord extends RunRef {
  readonly step: string
  /** 0 for the first execution of the step; repetitions count up. */
  readonly round: number
  readonly status: RunStatus
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  readonly paramsGiven: string | undefined
  readonly params: RunRecord['params']
}
