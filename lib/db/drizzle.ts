import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type { Database, Sql } from './client.ts'

const made = new WeakMap<Database, PostgresJsDatabase>()

/** Drizzle over the connections of a database; made once. For the API: the runner must not load it. */
export function orm(db: Database): PostgresJsDatabase {
  const known = made.get(db)
  if (known !== undefined) return known
  const fresh = drizzle(db.prepares ? prepared(db.sql) : db.sql)
  made.set(db, fresh)
  return fresh
}

/** Drizzle sends texts of the moment; as prepared statements each is parsed and planned once a connection. */
function prepared(sql: Sql): Sql {
  const unsafe: Sql['unsafe'] = (query, parameters, options) =>
    sql.unsafe(query, parameters, { ...options, prepare: true })
  return Object.assign((...args: Parameters<Sql>) => sql(...args), sql, { unsafe }) as Sql
}
