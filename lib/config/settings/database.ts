import { setting } from './setting.ts'
import { number, switchText, postgresUrl } from './values.ts'

export const databaseSettings = {
  DATABASE_URL: setting(
    postgresUrl,
    '[embedded Postgres]',
    'URL of a PostgreSQL 15 or newer; sslmode and its files as in libpq. ' +
      'PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE for what it leaves out.',
    'secret',
  ),
  MILLRACE_DATABASE_POOLED: setting(
    switchText,
    'false',
    'Set to true when DATABASE_URL leads to a pooler in transaction mode.',
    'text',
  ),
  MILLRACE_DATABASE_DIRECT_URL: setting(
    postgresUrl,
    '[none]',
    'The same database without the pooler, for LISTEN; without it, a pooled runner only polls.',
    'secret',
  ),
  MILLRACE_DATABASE_CONNECTIONS: setting(
    number(1, 1_000, ''),
    '[API 16, runner 3, tick 2, function 2, local server 3]',
    'Maximum number of database connections of a process.',
    'text',
  ),
} as const
