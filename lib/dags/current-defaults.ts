import type { Database } from '#lib/db/client.ts'
import type { DagDefaults } from './dag-columns.ts'

/**
 * The defaults that count for every part: those that a process applied last (lib/app/apply-settings.ts).
 * @param own those of this process, which count where none were ever applied
 */
export async function currentDefaults(db: Database, own: DagDefaults): Promise<DagDefaults> {
  const rows = await db.sql<{ name: string; value: string | null }[]>`
    select name, value from millrace.setting where name in ('MILLRACE_BASE_CONFIG', 'MILLRACE_TZ')`
  const applied = new Map(rows.map(({ name, value }) => [name, value ?? undefined]))
  const base = applied.has('MILLRACE_BASE_CONFIG') ? applied.get('MILLRACE_BASE_CONFIG') : own.base
  const zone = applied.get('MILLRACE_TZ') ?? own.zone
  return base === undefined ? { zone } : { base, zone }
}
