import type { Database } from './client.ts'

/** The applied numbered migrations, in order; `at`: milliseconds since 1970. */
export async function listMigrations({ sql }: Database): Promise<{ name: string; at: number }[]> {
  return await sql<{ name: string; at: number }[]>`
    select name, millrace.ms(applied_at)::float8 as at from millrace.migration order by name`
}
