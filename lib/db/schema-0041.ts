/** Databases and backups of before 0042, when other numbered files made the tables. The last of them: */
export const lastBefore = '0041_sign_in.sql'

/** For a name that this program does not have: whether it is a file of before. Now 0006 is followed by 0042. */
export function isOfBefore(name: string): boolean {
  return name < '0042'
}

/**
 * @param names earlier files that were applied
 * @throws Error when the last of them was not
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

/** A table of a backup of before, by its names of this version; `upgrade_from_0041.sql` renames the same. */
export function namesOfNow(of: { readonly table: string; readonly columns: readonly string[] }): {
  readonly table: string
  readonly columns: readonly string[]
} {
  return {
    table: tables[of.table] ?? of.table,
    columns: of.columns.map((column) => columns[`${of.table}.${column}`] ?? column),
  }
}
