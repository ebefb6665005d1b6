import { limits } from '#lib/core/limits.ts'
import type { Sql } from '#lib/db/statement.ts'

/**
 * The condition that the id of a root run contains a text, looked for where that is not too much: among the newest runs
 * that the other filters leave, and among all whose id begins with the text, unless these are many. The cost of an id
 * that is not there does not grow with the history.
 * @param part compared literally
 * @param filters conditions on `dag_run`, each after an `and`
 * @param behind the cursor, in the same form
 * @param most runs that the caller takes
 */
export function partOfId(
  sql: Sql,
  part: string,
  { filters, behind, most }: { readonly filters: unknown; readonly behind: unknown; readonly most: number },
) {
  // Ids are letters, digits, - and _: all of them sort before ~. The order makes the planner use the index.
  return sql`and run_key in (
    with newest as materialized (
      select created_at, run_key from millrace.dag_run
      where parent_key is null ${filters}
      order by created_at desc, run_key desc
      offset ${limits.partOfIdRunsMax - 1} limit 1
    ),
    beginning as materialized (
      select run_key from millrace.dag_run
      where parent_key is null and run_id ~>=~ ${part} and run_id ~<~ ${`${part}~`}
      order by run_id using ~<~
      limit ${limits.beginningOfIdRunsMax + 1}
    )
    (
      select run_key from millrace.dag_run
      where parent_key is null ${filters} ${behind} and position(${part} in run_id) > 0
        and (created_at, run_key) >= (
          coalesce((select created_at from newest), '-infinity'), coalesce((select run_key from newest), 0)
        )
      order by created_at desc, run_key desc
      limit ${most}
    )
    union all
    select run_key from beginning
    where (select count(*) from beginning) <= ${limits.beginningOfIdRunsMax}
  )`
}
