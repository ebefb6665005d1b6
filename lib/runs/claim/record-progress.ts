import type { FinalRunStatus } from '#lib/core/status.ts'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { StoredStep } from '#lib/engine/stored-step.ts'

/** A step to store, with its place in the plan. */
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
    /** An attempt ended under this owner, which resets the count of lost runners in a row. */
    readonly survived?: boolean
  }
  readonly finish?: { readonly status: FinalRunStatus; readonly error: string }
  /** Gives the run back, claimable from this time on; null: at once. */
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
 * Records one entry with large outputs in several statements, which may take longer. The last one has what concerns the
 * run itself.
 */
export async function recordLarge(
  db: Database,
  { steps, ...rest }: RecordItem,
): Promise<{ readonly lost: readonly string[] }> {
  const { runKey, token } = rest
  const patient = db.within(limits.longStatementMsMax)
  const pieces = inPieces(steps)
  for (const piece of pieces.slice(0, -1)) {
    const answer = await recordProgress(patient, [{ runKey, token, steps: piece }])
    if (answer.lost.length > 0) return answer
  }
  return recordProgress(patient, [{ ...rest, steps: pieces.at(-1) ?? [] }])
}

/**
 * Steps with large outputs have ended, so they come first: nothing is recorded before what it depends on. Each piece is
 * one of them, or as many others as make a large one.
 */
function inPieces(steps: readonly RecordStep[]): RecordStep[][] {
  const sized = steps.map((step) => ({ step, length: lengthOf(step.outputs) }))
  const pieces: RecordStep[][] = []
  let room = 0
  for (const { step, length } of sized.toSorted((a, b) => b.length - a.length)) {
    const isNext = pieces.length === 0 || length > room
    if (isNext) pieces.push([])
    room = (isNext ? limits.largeRecordLength : room) - length
    pieces.at(-1)?.push(step)
  }
  return pieces
}

/** Characters of the values in an entry. */
export function recordLength({ steps, run }: RecordItem): number {
  const inputs = run?.inputs === undefined ? 0 : JSON.stringify(run.inputs).length
  return steps.reduce((sum, { outputs }) => sum + lengthOf(outputs), inputs)
}

function lengthOf(outputs: RecordStep['outputs']): number {
  return Object.values(outputs).reduce((sum, value) => sum + value.length, 0)
}
