import type { Database } from '#lib/db/client.ts'
import type { OpeningStep } from '#lib/engine/opening.ts'
import type { Ending } from '#lib/engine/progress.ts'
import type { DefinitionRef, KnownDefinitions } from '../read/read-definition.ts'
import type { RecordStep } from './record-progress.ts'

/**
 * Inputs of a run: evaluated once, when the run first starts, and stored, so that later owners and retries use the same
 * values. They contain no secrets and nothing from dotenv files.
 */
export interface RunInputs {
  readonly params: readonly { readonly name: string; readonly value: string }[]
  /** The `env` of the file, in order. */
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly workingDir: string
}

/** A claimed run as its new owner receives it. Times are milliseconds since 1970. */
export interface ClaimedRun {
  readonly runKey: string
  readonly token: string
  readonly runId: string
  readonly dagName: string
  readonly fileName: string | undefined
  readonly definitionHash: string
  readonly document: string | undefined
  readonly paramsGiven: string | undefined
  readonly inputs: RunInputs | undefined
  readonly attempt: number
  readonly depth: number
  readonly rootKey: string
  readonly rootName: string
  readonly rootId: string
  readonly parentKey: string | undefined
  readonly parentName: string | undefined
  readonly parentId: string | undefined
  readonly parentWorkingDir: string | undefined
  readonly startedAt: number
  readonly checked: boolean
  readonly ending: Ending | undefined
  readonly lastStartAt: number | undefined
  readonly stopRequestedAt: number | undefined
  readonly lostCount: number
  /** The `traceparent` of the caller that started the run, if it sent one. */
  readonly traceparent: string | undefined
  /** Undefined when the runner listed the hash among its known definitions. */
  readonly spec: string | undefined
  readonly baseSpec: string | undefined
  readonly steps: readonly RecordStep[]
  /** Opening steps that this claim recorded as running. They are not in `steps`. */
  readonly begun: readonly OpeningStep[]
}

/** The definition of a claimed run. */
export function definitionOf(run: ClaimedRun): DefinitionRef {
  const { definitionHash: hash, fileName = run.dagName, spec, baseSpec: base } = run
  return { hash, fileName, spec, base }
}

/**
 * Claims up to `count` runs whose labels the owner has: highest priority first, then oldest. No run is claimed by two
 * owners.
 * @param input.known the definitions that the runner has cached: their text is not sent, and the first claim of a run
 * records its opening steps as running
 */
export async function claimRuns(
  db: Database,
  input: {
    owner: string
    labels: Readonly<Record<string, string>>
    count: number
    leaseMs: number
    known: KnownDefinitions
  },
): Promise<ClaimedRun[]> {
  const { owner, labels, count, leaseMs, known } = input
  const rows = await db.call<Record<string, unknown>[]>('claim_runs', owner, labels, count, leaseMs, known)
  return rows.map(withoutNulls) as unknown as ClaimedRun[]
}

function withoutNulls(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined]))
}
