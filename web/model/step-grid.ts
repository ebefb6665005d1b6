import { stepState, type State } from './states.ts'

export interface GridRow {
  readonly name: string
  /** One a run, the newest last. */
  readonly states: readonly State[]
  /** How many of the newest runs in a row this step has failed in. */
  readonly failedRuns: number
}

/**
 * The steps of the last runs as rows.
 * @param gridData rows of the API, each newest first
 * @param order names of the steps in the order of the file; steps that it has no more, and handlers, come last
 */
export function gridRows(
  gridData: readonly { readonly name: string; readonly history: readonly number[] }[],
  order: readonly string[],
): GridRow[] {
  const indices = new Map(order.map((name, index) => [name, index]))
  const indexOf = (name: string): number => indices.get(name) ?? order.length
  return gridData
    .map(({ name, history }) => ({
      name,
      states: history.map(stepState).toReversed(),
      failedRuns: failedRuns(history.map(stepState)),
    }))
    .toSorted((a, b) => indexOf(a.name) - indexOf(b.name))
}

/** Runs in which the step has not started are ignored. */
function failedRuns(newestFirst: readonly State[]): number {
  const ran = newestFirst.filter((state) => state !== 'not_started' && state !== 'running')
  const other = ran.findIndex((state) => state !== 'failed')
  return other < 0 ? ran.length : other
}

/** The rows that fit: those that failed last, then others while there is room. */
export function rowsShown(rows: readonly GridRow[], most: number): readonly GridRow[] {
  if (rows.length <= most) return rows
  const first = new Set([...rows].toSorted((a, b) => b.failedRuns - a.failedRuns).slice(0, most))
  return rows.filter((row) => first.has(row))
}

/** Where an arrow leads from a cell; undefined for other keys. */
export function cellAfter(
  key: string,
  at: { readonly row: number; readonly column: number },
  size: { readonly rows: number; readonly columns: number },
): { readonly row: number; readonly column: number } | undefined {
  const [lastRow, lastColumn] = [size.rows - 1, size.columns - 1]
  if (key === 'ArrowLeft') return { ...at, column: Math.max(0, at.column - 1) }
  if (key === 'ArrowRight') return { ...at, column: Math.min(lastColumn, at.column + 1) }
  if (key === 'ArrowUp') return { ...at, row: Math.max(0, at.row - 1) }
  if (key === 'ArrowDown') return { ...at, row: Math.min(lastRow, at.row + 1) }
  if (key === 'Home') return { ...at, column: 0 }
  if (key === 'End') return { ...at, column: lastColumn }
  return undefined
}
