import type { Database } from '#lib/db/client.ts'

/** Sends a trivial query. @returns what is wrong, in words that any caller may see; undefined: nothing */
export async function checkDatabase(db: Database): Promise<string | undefined> {
  try {
    await db.sql`select 1 from millrace.dag_run limit 0`
    return undefined
  } catch {
    return 'the database cannot be reached'
  }
}
