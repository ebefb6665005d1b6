import type { Database } from '#lib/db/client.ts'

/** Ends a session at once, if it is still there. */
export async function endSession({ sql }: Database, id: string): Promise<void> {
  await sql`delete from millrace.session where id = ${id}::uuid`
}
