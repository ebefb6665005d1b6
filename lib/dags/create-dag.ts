import { badRequest, ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { Problem } from '#lib/definition/definition.ts'
import { problemTexts } from '#lib/definition/read-spec.ts'
import { changeText } from './change.ts'
import { dagColumns, type SpecInput } from './dag-columns.ts'

const smallest = 'steps:\n  - command: echo hello\n'

/**
 * Stores a new DAG file. Without a spec, the file gets a single echo step.
 * @returns its version, which is 1 unless a DAG of this name was deleted; warnings about the text and what it names
 * @throws ServiceError `bad_request` for a spec with faults, `already_exists` for a name that is taken
 */
export async function createDag(
  db: Database,
  input: Omit<SpecInput, 'spec'> & { readonly spec?: string | undefined },
): Promise<{ readonly version: number; readonly warnings: readonly Problem[] }> {
  const { fileName, base, zone, change, spec = smallest } = input
  const dag = await dagColumns(db, { ...input, spec })
  if (dag.problems.length > 0) {
    const faults = problemTexts(dag.problems)
    throw badRequest(`the spec has errors: ${faults.join('; ')}`, { faults, problems: dag.problems })
  }
  const [row] = await db.sql<{ version: number }[]>`
    with kept as (
      insert into millrace.definition (hash, spec, base_spec)
      values (${dag.hash}, ${spec}, ${base ?? null})
      on conflict (hash) do update set gc_candidate = true
    ),
    made as (
      insert into millrace.dag (
        file_name, dag_name, definition_hash, summary, tags, group_name, queue, max_active_runs, run_settings,
        step_names
      )
      values (
        ${fileName}, ${dag.dagName}, ${dag.hash}, ${dag.summary}::text::jsonb,
        array(select jsonb_array_elements_text(${dag.tags}::text::jsonb)), ${dag.group}, ${dag.queue},
        ${dag.maxActiveRuns}, ${dag.runSettings}::text::jsonb, ${dag.stepNames}
      )
      on conflict (file_name) do nothing
      returning file_name, version, set_config('millrace.change', ${changeText(change)}, true)
    ),
    timed as (
      insert into millrace.schedule (file_name, kind, place, expression, zone, next_at, default_zone)
      select made.file_name, s.kind, s.place, s.expression, s.zone, to_timestamp(s."nextAt" / 1000),
        case when s.zone is null then ${zone}::text end
      from made
      cross join jsonb_to_recordset(${dag.schedule}::text::jsonb)
        as s (kind text, place int, expression text, zone text, "nextAt" float8)
    )
    select version from made`
  if (row === undefined) throw new ServiceError('already_exists', `DAG "${fileName}" already exists`)
  return { version: row.version, warnings: dag.warnings }
}
