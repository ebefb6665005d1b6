import type { Database } from '#lib/db/client.ts'
import { userColumns, type User } from './user.ts'

/** All users, by name. */
export async function listUsers(db: Database): Promise<User[]> {
  return await db.sql<User[]>`select ${userColumns(db)} from millrace.app_user order by name`
}
