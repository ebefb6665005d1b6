import type { Database } from '#lib/db/client.ts'

/** All distinct tags, sorted; and for each file with faults, one line per fault. */
export async function listTags(db: Database): Promise<{ tags: string[]; errors: string[] }> {
  const [tags, errors] = await Promise.all([
    db.sql<{ tag: string }[]>`
      select distinct unnest(tags) as tag from millrace.dag order by tag`,
    db.sql<{ error: string }[]>`
      select file_name || ': ' || unnest(problems) as error from millrace.dag
      where cardinality(problems) > 0 order by file_name`,
  ])
  return { tags: tags.map((row) => row.tag), errors: errors.map((row) => row.error) }
}
