import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { Problem } from '#lib/definition/definition.ts'
import { changeText } from './change.ts'
import { dagColumns, type DagColumns, type SpecInput } from './dag-columns.ts'
import { getDag } from './get-dag.ts'

export interface SavedSpec {
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** Undefined when the text has faults. */
  readonly version: number | undefined
}

/**
 * Replaces the text of a DAG file. A text with faults is not saved, and the same text makes no version. Entries of the
 * schedule that stay the same keep their next time.
 * @param input.version the version that the caller has seen; undefined: overwrite any version
 * @returns the faults, or the version that it is now; warnings either way
 * @throws ServiceError `not_found`, or `already_exists` when there is a newer version than the caller has seen
 */
export async function saveSpec(
  db: Database,
  input: SpecInput & { readonly version: number | undefined },
): Promise<SavedSpec> {
  const { fileName, version } = input
  const dag = await dagColumns(db, input)
  if (dag.problems.length > 0) {
    await getDag(db, fileName)
    return { problems: dag.problems, warnings: dag.warnings, version: undefined }
  }
  const saved = await replace(db, input, dag)
  if (saved !== undefined) return { problems: [], warnings: dag.warnings, version: saved }
  const current = await getDag(db, fileName)
  throw new ServiceError(
    'already_exists',
    `"${fileName}" has version ${current.version}, but the edit is based on version ${version}`,
  )
}

async function replace(
  db: Database,
  input: SpecInput & { readonly version: number | undefined },
  dag: DagColumns,
): Promise<number | undefined> {
  const { fileName, spec, base, zone, version, change } = input
  const [row] = await db.sql<{ version: number }[]>`
    with kept as (
      insert into millrace.definition (hash, spec, base_spec)
      values (${dag.hash}, ${spec}, ${base ?? null})
      on conflict (hash) do update set gc_candidate = true
    ),
    saved as (
      update millrace.dag
      set dag_name = ${dag.dagName}, definition_hash = ${dag.hash}, summary = ${dag.summary}::text::jsonb,
        tags = array(select jsonb_array_elements_text(${dag.tags}::text::jsonb)), group_name = ${dag.group},
        queue = ${dag.queue}, max_active_runs = ${dag.maxActiveRuns},
        run_settings = ${dag.runSettings}::text::jsonb, step_names = ${dag.stepNames}, problems = '{}'
      where file_name = ${fileName} and version = coalesce(${version ?? null}::int, version)
      returning file_name, version, set_config('millrace.change', ${changeText(change)}, true)
    ),
    given as materialized (
      select * from jsonb_to_recordset(${dag.schedule}::text::jsonb)
        as s (kind text, place int, expression text, zone text, "nextAt" float8)
    ),
    dropped as (
      delete from millrace.schedule s
      using saved
      where s.file_name = saved.file_name
        and not exists (select from given g where g.kind = s.kind and g.place = s.place)
    ),
    timed as (
      insert into millrace.schedule as s (file_name, kind, place, expression, zone, next_at, default_zone)
      select saved.file_name, g.kind, g.place, g.expression, g.zone, to_timestamp(g."nextAt" / 1000),
        case when g.zone is null then ${zone}::text end
      from saved cross join given g
      on conflict (file_name, kind, place) do update
      set expression = excluded.expression, zone = excluded.zone, default_zone = excluded.default_zone,
        next_at = case
          when s.expression = excluded.expression and s.zone is not distinct from excluded.zone
            and coalesce(s.default_zone, '') in ('', excluded.default_zone)
          then coalesce(s.next_at, excluded.next_at)
          else excluded.next_at
        end
    )
    select version from saved`
  return row?.version
}
