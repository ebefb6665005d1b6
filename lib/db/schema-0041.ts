/** Before 0042, other numbered files created the tables. This is the last of them. */
export const lastBefore = '0041_sign_in.sql'

/** Whether a file is from before 0042, given that this program does not have it. (0042 now follows 0006.) */
export function isOfBefore(name: string): boolean {
  return name < '0042'
}

/**
 * @param names applied files from before 0042
 * @throws Error when they do not include the last of them
 */
export function assertUpgradable(names: readonly string[]): void {
  if (names.length === 0 || names.includes(lastBefore)) return
  const found = `the tables are those of ${names.toSorted().at(-1)}, and this program upgrades from ${lastBefore} only`
  throw new Error(`${found}: run \`millrace migrate\` of a version that has this file first`)
}

const tables: Readonly<Record<string, string>> = { surplus_history: 'history_trim' }
const columns: Readonly<Record<string, string>> = {
  'definition.is_loose': 'gc_candidate',
  'dag_run.document': 'local_dag',
  'dag_run.parent_round': 'parent_iteration',
}

/** Maps table and column names of an old backup to the current ones, as `upgrade_from_0041.sql` renames them. */
export function namesOfNow(of: { readonly table: string; readonly columns: readonly string[] }): {
  readonly table: string
  readonly columns: readonly string[]
} {
  return {
    table: tables[of.table] ?? of.table,
    columns: of.columns.map((column) => columns[`${of.table}.${column}`] ?? column),
  }
}
