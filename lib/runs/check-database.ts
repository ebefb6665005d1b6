import type { Database } from '#lib/db/client.ts'

/** Asks the database for a sign of life. @returns what is wrong, in words that a stranger may read */
export async function checkDatabase(db: Database): Promise<string | undefined> {
  try {
    await db.sql`select 1 from millrace.dag_run limit 0`
    return undefined
  } catch {
    return 'the database cannot be reached'
  }
}
