import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type { Database } from './client.ts'
import type { Driver } from './connection.ts'
import type { Sql } from './statement.ts'

const made = new WeakMap<Database, PostgresJsDatabase>()

/** Drizzle over the connections of a database; made once. For the API: the runner must not load it. */
export function orm(db: Database): PostgresJsDatabase {
  const known = made.get(db)
  if (known !== undefined) return known
  const fresh = drizzle(asDriver(db.prepares ? prepared(db.sql) : db.sql))
  made.set(db, fresh)
  return fresh
}

/**
 * A statement of a hot path, built once for each database: to build it takes Drizzle longer than to answer it takes
 * Postgres. What changes stands in it as `sql.placeholder(name)`.
 */
export function statement<Statement>(
  build: (on: PostgresJsDatabase) => Statement,
): (db: Database) => Statement {
  const built = new WeakMap<Database, Statement>()
  return (db) => {
    const known = built.get(db)
    if (known !== undefined) return known
    const fresh = build(orm(db))
    built.set(db, fresh)
    return fresh
  }
}

/** Drizzle sends texts of the moment; as prepared statements each is parsed and planned once a connection. */
function prepared(sql: Sql): Sql {
  const unsafe: Sql['unsafe'] = (query, parameters, options) =>
    sql.unsafe(query, parameters, { ...options, prepare: true })
  return Object.assign(sql.bind(undefined), sql, { unsafe })
}

/** Of the driver, Drizzle uses what we have as long as it opens no transaction. */
const asDriver = (sql: Sql): Driver => sql as unknown as Driver
