import type { RunStatus, StepStatus } from '#lib/core/status.ts'
import type { Ending } from '#lib/engine/progress.ts'

/** Identifies a run to callers. */
export interface RunRef {
  readonly dagName: string
  readonly runId: string
}

/** The address of a run in the API: a root run, or a descendant of it. */
export interface RunAddress extends RunRef {
  /** Id of the descendant. */
  readonly childId?: string
}

/** The address of a run. */
export function addressOf({ root, parent, runId }: Pick<ListedRun, 'root' | 'parent' | 'runId'>): RunAddress {
  return parent === undefined ? root : { ...root, childId: runId }
}

/** A run as a list shows it. Times are milliseconds since 1970. */
export interface ListedRun extends RunRef {
  readonly runKey: string
  /** Undefined for runs of an inline spec. */
  readonly fileName: string | undefined
  readonly status: RunStatus
  readonly attempt: number
  /** What created the run: api, schedule, child … */
  readonly trigger: string
  /** Who started it, when that is known. */
  readonly triggeredBy: string | undefined
  /** The time of the schedule that started it. */
  readonly scheduledAt: number | undefined
  /** Id of the runner that owns it now. */
  readonly owner: string | undefined
  readonly root: RunRef
  readonly parent: RunRef | undefined
  readonly queuedAt: number | undefined
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  /** The text of the params as the caller gave it. */
  readonly paramsGiven: string | undefined
  /** The params as the runner resolved them; undefined until then. */
  readonly params: readonly { readonly name: string; readonly value: string }[] | undefined
}

/** A run without its steps. */
export interface RunRecord extends ListedRun {
  /** Name of the local DAG in its file; undefined: the first DAG of the file. */
  readonly document: string | undefined
  readonly definitionHash: string
  readonly queue: string | undefined
  readonly priority: number
  readonly createdAt: number
  readonly stopRequestedAt: number | undefined
  readonly ending: Ending | undefined
  readonly error: string
  /** Recorded earlier attempts, oldest first. */
  readonly pastAttempts: readonly PastAttempt[]
  /** Host of the current owner; empty when there is none, or it is no longer registered. */
  readonly ownerHost: string
}

/** An attempt of a run before its last retry. */
export interface PastAttempt {
  readonly attempt: number
  readonly status: RunStatus
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  readonly error: string
}

/** An ended execution of a step. Retries and repetitions add tries. */
export interface StepTry {
  /** Attempt of the run. */
  readonly attempt: number
  readonly number: number
  readonly startedAt?: number
  readonly finishedAt?: number
  readonly exitCode?: number
  readonly error: string
  /** The line of standard output at which it started to write, counted from 1. */
  readonly logLine?: number
  /** Set for the only try of a step in an attempt. */
  readonly status?: StepStatus
}

/** A stored step. Steps that have not started are not stored. */
export interface StepRecord {
  readonly name: string
  readonly place: number
  readonly status: StepStatus
  /** The attempt of the run in which the step last ran; its log belongs to that attempt. */
  readonly attempt: number
  readonly retryCount: number
  readonly doneCount: number
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  readonly exitCode: number | undefined
  /** Time of the next retry or repetition, milliseconds since 1970. */
  readonly waitUntil: number | undefined
  /** Captured outputs, each truncated; undefined when there are none or they are large. */
  readonly outputs: Readonly<Record<string, string>> | undefined
  /**
   * The latest 100 tries of this attempt, oldest first; undefined for a step with a single try and no further one due.
   */
  readonly tries: readonly StepTry[] | undefined
  readonly error: string
  readonly tolerated: boolean
  readonly conditions: readonly { readonly met: boolean; readonly error: string }[]
}

/** A child run as the detail view of its parent shows it. */
export interface ChildRecord extends RunRef {
  readonly step: string
  /** 0 for the first execution of the step; each repetition adds 1. */
  readonly iteration: number
  readonly status: RunStatus
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  readonly paramsGiven: string | undefined
  readonly params: RunRecord['params']
}
