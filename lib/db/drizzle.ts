import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type { Database } from './client.ts'
import type { Driver } from './connection.ts'
import type { Sql } from './statement.ts'

const made = new WeakMap<Database, PostgresJsDatabase>()

/** Drizzle on the pool of a database, created once per database. For the API only: the runner must not load Drizzle. */
export function orm(db: Database): PostgresJsDatabase {
  const known = made.get(db)
  if (known !== undefined) return known
  const fresh = drizzle(asDriver(db.prepares ? prepared(db.sql) : db.sql))
  made.set(db, fresh)
  return fresh
}

/**
 * A statement for a hot path, built once per database, because Drizzle takes longer to build it than Postgres to
 * execute it. Its parameters are `sql.placeholder(name)`.
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

/** Prepares the statements, which Drizzle does not: then they are parsed and planned once per connection. */
function prepared(sql: Sql): Sql {
  const unsafe: Sql['unsafe'] = (query, parameters, options) =>
    sql.unsafe(query, parameters, { ...options, prepare: true })
  return Object.assign(sql.bind(undefined), sql, { unsafe })
}

/** Drizzle uses nothing of the driver beyond `Sql`, as long as it opens no transaction. */
const asDriver = (sql: Sql): Driver => sql as unknown as Driver
