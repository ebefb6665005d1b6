import type { FinalRunStatus } from '#lib/core/status.ts'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { StoredStep } from '#lib/engine/stored-step.ts'

/** A step to store, with its index in the plan. */
export interface RecordStep extends StoredStep {
  readonly place: number
}

/** One journal entry: the changes of one run. */
export interface RecordItem {
  readonly runKey: string
  readonly token: string
  readonly steps: readonly RecordStep[]
  readonly run?: {
    readonly inputs?: object
    readonly checked?: boolean
    readonly ending?: string
    readonly lastStartAt?: number
    /** An attempt ended under this owner: resets the count of runners lost in a row. */
    readonly survived?: boolean
  }
  readonly finish?: { readonly status: FinalRunStatus; readonly error: string }
  /** Gives the run back, claimable from this time on; null: now. */
  readonly release?: { readonly readyAtMs: number | null }
}

/**
 * Records a batch in one statement. Entries with an outdated token change nothing and are returned as lost. Idempotent.
 */
export function recordProgress(
  db: Database,
  batch: readonly RecordItem[],
): Promise<{ readonly lost: readonly string[] }> {
  return db.call('record', batch)
}

/**
 * Records one entry with large outputs in several statements, each with a longer time limit. The last one has the
 * changes of the run itself.
 */
export async function recordLarge(
  db: Database,
  { steps, ...rest }: RecordItem,
): Promise<{ readonly lost: readonly string[] }> {
  const { runKey, token } = rest
  const slowDb = db.within(limits.longStatementMsMax)
  const batches = inBatches(steps)
  for (const batch of batches.slice(0, -1)) {
    const answer = await recordProgress(slowDb, [{ runKey, token, steps: batch }])
    if (answer.lost.length > 0) return answer
  }
  return recordProgress(slowDb, [{ ...rest, steps: batches.at(-1) ?? [] }])
}

/**
 * Splits steps into batches of up to `limits.largeRecordLength` characters, largest first. A step with large outputs
 * has ended, so no step is recorded before its dependencies. A larger step is a batch by itself.
 */
function inBatches(steps: readonly RecordStep[]): RecordStep[][] {
  const sized = steps.map((step) => ({ step, length: lengthOf(step.outputs) }))
  const batches: RecordStep[][] = []
  let room = 0
  for (const { step, length } of sized.toSorted((a, b) => b.length - a.length)) {
    const startsBatch = batches.length === 0 || length > room
    if (startsBatch) batches.push([])
    room = (startsBatch ? limits.largeRecordLength : room) - length
    batches.at(-1)?.push(step)
  }
  return batches
}

/** Size of an entry: the characters of its outputs and inputs. */
export function recordLength({ steps, run }: RecordItem): number {
  const inputs = run?.inputs === undefined ? 0 : JSON.stringify(run.inputs).length
  return steps.reduce((sum, { outputs }) => sum + lengthOf(outputs), inputs)
}

function lengthOf(outputs: RecordStep['outputs']): number {
  return Object.values(outputs).reduce((sum, value) => sum + value.length, 0)
}
