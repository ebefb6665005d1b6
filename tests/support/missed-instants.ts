import { createDag } from '#lib/dags/create-dag.ts'
import type { Database } from '#lib/db/client.ts'

/** Creates a DAG that is scheduled for every minute. */
export async function createMinutely(db: Database, fileName: string, fields: string): Promise<void> {
  const spec = `schedule: "* * * * *"\n${fields}\nsteps:\n  - echo 1\n`
  await createDag(db, { fileName, spec, zone: 'UTC' })
}

/**
 * Sets the schedules back as if no tick had run for this many minutes.
 * @param like pattern of the file names
 * @returns the first of the instants, milliseconds since 1970
 */
export async function missMinutes(db: Database, like: string, minutes: number): Promise<number> {
  const [row] = await db.sql<{ ms: number }[]>`
    with missed as (
      update millrace.schedule
      set next_at = date_trunc('minute', clock_timestamp()) - make_interval(mins => ${minutes})
      where file_name like ${like}
      returning next_at
    )
    select millrace.ms(min(next_at))::float8 as ms from missed`
  if (row === undefined) throw new Error(`no schedule is like ${like}`)
  return row.ms
}

export interface JudgedMinutes {
  readonly wanted: number
  readonly missing: number
  readonly doubled: number
  /** Runs of unexpected instants. */
  readonly strange: number
}

/** Compares the runs of DAGs with the minutes from the first to the last one served. */
export async function judgeMinutes(db: Database, like: string, firstMs: number): Promise<JudgedMinutes> {
  const [row] = await db.sql<JudgedMinutes[]>`
    with wanted as (
      select s.file_name, minute
      from millrace.schedule s
      cross join generate_series(
        to_timestamp(${firstMs}::float8 / 1000), s.next_at - interval '1 minute', interval '1 minute'
      ) as minute
      where s.file_name like ${like}
    ),
    made as (
      select r.file_name, r.scheduled_at as minute, count(*) as runs
      from millrace.dag_run r where r.file_name like ${like}
      group by 1, 2
    )
    select count(w.minute)::int as wanted,
      count(*) filter (where m.minute is null)::int as missing,
      coalesce(sum(m.runs - 1), 0)::int as doubled,
      count(*) filter (where w.minute is null)::int as strange
    from wanted w full join made m using (file_name, minute)`
  if (row === undefined) throw new Error('a query without groups has a row')
  return row
}
