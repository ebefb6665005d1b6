import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

interface Ref {
  readonly dagName: string
  readonly runId: string
}

export interface WorkerState {
  readonly id: string
  readonly labels: Readonly<Record<string, string>>
  readonly host: string
  /** Maximum number of runs that it executes at the same time. */
  readonly slots: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Milliseconds since 1970, and age in milliseconds, both by the clock of the database. */
  readonly heartbeatAt: number
  readonly heartbeatAgeMs: number
  /** It claims no runs. Drained by a user, it finishes its runs; when it shuts down, it gives them back. */
  readonly isDraining: boolean
  /** Who drained it; empty: unknown; null: nobody. */
  readonly drainedBy: string | null
  /** The runs that it owns, oldest first. */
  readonly tasks: readonly (Ref & {
    readonly root: Ref
    readonly parent: Ref | null
    readonly startedAt: number
  })[]
}

/** @throws ServiceError `not_found` */
export async function getWorker(db: Database, id: string): Promise<WorkerState> {
  const [worker] = await listWorkers(db, id)
  if (worker === undefined) throw notFound('runner', id)
  return worker
}

/** The registered runners with their runs, by id, or one of them. Relies on `dag_run_owner_idx`. */
export async function listWorkers(db: Database, id?: string): Promise<WorkerState[]> {
  return await db.sql<WorkerState[]>`
    select w.id, w.labels, w.host, w.slots, millrace.ms(w.started_at)::float8 as "startedAt",
      w.drained_by as "drainedBy", millrace.ms(w.heartbeat_at)::float8 as "heartbeatAt",
      (extract(epoch from clock_timestamp() - w.heartbeat_at) * 1000)::float8 as "heartbeatAgeMs",
      w.draining_at is not null as "isDraining",
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'dagName', r.dag_name, 'runId', r.run_id, 'startedAt', millrace.ms(r.started_at),
          'root', jsonb_build_object(
            'dagName', coalesce(root.dag_name, r.dag_name), 'runId', coalesce(root.run_id, r.run_id)
          ),
          'parent', case when r.parent_key is not null
            then jsonb_build_object('dagName', parent.dag_name, 'runId', parent.run_id) end
        ) order by r.run_key)
        from millrace.dag_run r
        left join millrace.dag_run root on root.run_key = r.root_key
        left join millrace.dag_run parent on parent.run_key = r.parent_key
        where r.lease_owner = w.id
      ), '[]') as tasks
    from millrace.worker w
    where ${id ?? null}::text is null or w.id = ${id ?? null}
    order by w.id`
}
