import type { Database } from '#lib/db/client.ts'

/** The settings of the page that a user has chosen. Opaque to the service. */
export type UserPreferences = Readonly<Record<string, unknown>>

/** @returns undefined when there is no such user */
export async function readPreferences({ sql }: Database, user: string): Promise<UserPreferences | undefined> {
  const [row] = await sql<{ preferences: string }[]>`
    select preferences from millrace.app_user where name = ${user}`
  return row && (JSON.parse(row.preferences) as UserPreferences)
}

/** Replaces the preferences. Returns whether the user exists. */
export async function savePreferences(
  { sql }: Database,
  user: string,
  preferences: UserPreferences,
): Promise<boolean> {
  const rows = await sql`
    update millrace.app_user set preferences = ${JSON.stringify(preferences)} where name = ${user} returning 1`
  return rows.length === 1
}
