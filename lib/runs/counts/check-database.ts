import type { Database } from '#lib/db/client.ts'

/** Sends a trivial query. Returns an error text that any caller may see, or undefined. */
export async function checkDatabase(db: Database): Promise<string | undefined> {
  try {
    await db.sql`select 1 from millrace.dag_run limit 0`
    return undefined
  } catch {
    return 'the database cannot be reached'
  }
}
