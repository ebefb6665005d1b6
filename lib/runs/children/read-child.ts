import type { RunStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import type { RecordStep } from '#lib/runs/claim/record-progress.ts'

/** A child run, as its parent needs it for a retry. */
export interface FoundChild {
  readonly status: RunStatus
  readonly attempt: number
  readonly definitionHash: string
  /** Name of the file; for a run without a file, the name of the DAG. */
  readonly fileName: string
  readonly document: string | undefined
  readonly spec: string
  readonly baseSpec: string | undefined
  readonly steps: readonly RecordStep[]
}

/** Reads a child run with its steps and the text of its definition; undefined when it does not exist. */
export async function readChild(db: Database, runKey: string): Promise<FoundChild | undefined> {
  const [row] = await db.sql<{ run: Described; status: RunStatus }[]>`
    select millrace.describe_run(r, '{}') as run, r.status
    from millrace.dag_run r
    where r.run_key = ${runKey}::bigint`
  if (row === undefined) return undefined
  const { attempt, definitionHash, fileName, dagName, document, spec, baseSpec, steps } = row.run
  return {
    status: row.status,
    attempt,
    definitionHash,
    fileName: fileName ?? dagName,
    document: document ?? undefined,
    spec,
    baseSpec: baseSpec ?? undefined,
    steps,
  }
}

interface Described {
  readonly attempt: number
  readonly definitionHash: string
  readonly dagName: string
  readonly fileName: string | null
  readonly document: string | null
  readonly spec: string
  readonly baseSpec: string | null
  readonly steps: readonly RecordStep[]
}
