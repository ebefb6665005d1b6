import type { RunStatus, StepStatus } from '#lib/core/status.ts'
import type { Ending } from '#lib/engine/progress.ts'

/** Identifies a run to callers. */
export interface RunRef {
  readonly dagName: string
  readonly runId: string
}

/** Where a run is found: a root run, or one below it at any depth. */
export interface RunAddress extends RunRef {
  /** Id of the run below the root run. */
  readonly childId?: string
}

/** Where a run is found that was read. */
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
  /** The runner that owns it now. */
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
  /** Attempts before the present one, oldest first, as far as they were noted. */
  readonly pastAttempts: readonly PastAttempt[]
  /** The machine of the runner that owns it now; empty when nobody does, or the runner is not known any more. */
  readonly ownerHost: string
}

/** An attempt of a run that a retry has followed. */
export interface PastAttempt {
  readonly attempt: number
  readonly status: RunStatus
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  readonly error: string
}

/** A try of a step that has ended: one execution, of which retries and repetitions make several. */
export interface StepTry {
  /** Of the run. */
  readonly attempt: number
  readonly number: number
  readonly startedAt?: number
  readonly finishedAt?: number
  readonly exitCode?: number
  readonly error: string
  /** The line of standard output at which it began to write, counted from 1. */
  readonly logLine?: number
  /** Of a step that needed one try in that attempt. */
  readonly status?: StepStatus
}

/** A stored step. A step that has not begun is not stored. */
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
  /** When it is retried, or repeated. */
  readonly waitUntil: number | undefined
  /** The beginnings of what it captured; undefined also where that is large. */
  readonly outputs: Readonly<Record<string, string>> | undefined
  /** Of a step that has had several in this attempt, or is to have another: the latest 100, oldest first. */
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
