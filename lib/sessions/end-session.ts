import type { Database } from '#lib/db/client.ts'

/** Ends a session, if it exists. */
export async function endSession({ sql }: Database, id: string): Promise<void> {
  await sql`delete from millrace.session where id = ${id}::uuid`
}
