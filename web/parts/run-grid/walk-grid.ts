import { cellAfter } from '../../model/step-grid.ts'

/** Arrows, Home and End move between the links of a table, which is a single Tab stop. */
export function walkGrid(event: KeyboardEvent): void {
  const { currentTarget: table, target } = event
  if (!(table instanceof HTMLTableElement) || !(target instanceof HTMLElement)) return
  const links = [...table.rows].map((row) => [...row.querySelectorAll('a')])
  const row = links.findIndex((of) => of.includes(target as HTMLAnchorElement))
  if (row < 0) return
  const column = links[row]?.indexOf(target as HTMLAnchorElement) ?? 0
  const size = { rows: links.length, columns: links[row]?.length ?? 0 }
  const next = cellAfter(event.key, { row, column }, size)
  const link = next && links[next.row]?.[next.column]
  if (link === undefined) return
  event.preventDefault()
  for (const of of table.querySelectorAll('a')) of.tabIndex = -1
  link.tabIndex = 0
  link.focus()
}
