import type { FinalRunStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'

/** A finished child run, as its parent needs it. */
export interface EndedChild {
  readonly runKey: string
  readonly runId: string
  readonly dagName: string
  readonly status: FinalRunStatus
  readonly paramsGiven: string | undefined
  /** As resolved by the runner of the child; undefined when the child never started. */
  readonly params: readonly { readonly name: string; readonly value: string }[] | undefined
  /** Captured variables of its steps. When two steps set the same name, the later one counts. */
  readonly outputs: Readonly<Record<string, string>>
}

/** Reads those of the given runs that have ended. */
export async function endedChildren(db: Database, runKeys: readonly string[]): Promise<EndedChild[]> {
  const rows = await db.sql<Row[]>`
    select r.run_key::text as "runKey", r.run_id as "runId", r.dag_name as "dagName", r.status,
      r.params_given as "paramsGiven", r.inputs -> 'params' as params,
      (
        select coalesce(jsonb_agg(s.outputs order by s.finished_at nulls last, s.place), '[]')
        from millrace.dag_run_step s
        where s.run_key = r.run_key and s.outputs <> '{}'
      ) as outputs
    from millrace.dag_run r
    where r.finished_at is not null
      and r.run_key in (
        select key::bigint from jsonb_array_elements_text(${JSON.stringify(runKeys)}::text::jsonb) as given (key)
      )`
  return rows.map(({ paramsGiven, params, outputs, ...row }) => ({
    ...row,
    paramsGiven: paramsGiven ?? undefined,
    params: params ?? undefined,
    outputs: Object.assign({}, ...outputs) as Record<string, string>,
  }))
}

interface Row {
  readonly runKey: string
  readonly runId: string
  readonly dagName: string
  readonly status: FinalRunStatus
  readonly paramsGiven: string | null
  readonly params: EndedChild['params'] | null
  readonly outputs: readonly Record<string, string>[]
}
