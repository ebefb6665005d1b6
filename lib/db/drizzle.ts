import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type { Database } from './client.ts'

const made = new WeakMap<Database, PostgresJsDatabase>()

/** Drizzle over the connections of a database; made once. For the API: the runner must not load it. */
export function orm(db: Database): PostgresJsDatabase {
  const known = made.get(db)
  if (known !== undefined) return known
  const fresh = drizzle(db.sql)
  made.set(db, fresh)
  return fresh
}
