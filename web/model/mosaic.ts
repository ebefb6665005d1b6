import { runState, stateWord, type State } from './states.ts'

/** A DAG as a cell, as the API has it. */
export interface MosaicDag {
  readonly fileName: string
  /** Code of its newest run; absent: it never ran. */
  readonly status?: number
  readonly suspended?: boolean
}

export const cellState = ({ status }: MosaicDag): State =>
  status === undefined ? 'never_ran' : runState(status)

/** Pixels from one cell to the next, and of a cell. */
export const cellStep = 16
const cellSize = 13

/** Columns that fit; at least one. */
export const columnsIn = (width: number): number => Math.max(1, Math.floor(width / cellStep))

/** The cells of each state as one path, so that thousands of them are a few elements. */
export function mosaicPaths(
  dags: readonly MosaicDag[],
  columns: number,
): { readonly state: State; readonly path: string; readonly marks: string }[] {
  const paths = new Map<State, { path: string[]; marks: string[] }>()
  for (const [index, dag] of dags.entries()) {
    const state = cellState(dag)
    const [x, y] = [(index % columns) * cellStep, Math.floor(index / columns) * cellStep]
    const kept = paths.get(state) ?? { path: [], marks: [] }
    kept.path.push(`M${x} ${y}h${cellSize}v${cellSize}h-${cellSize}z`)
    kept.marks.push(markOf(state, x, y))
    paths.set(state, kept)
  }
  return [...paths].map(([state, { path, marks }]) => ({ state, path: path.join(''), marks: marks.join('') }))
}

/** A symbol in the cell, for users who cannot see its colour. */
function markOf(state: State, x: number, y: number): string {
  const at = (dx: number, dy: number): string => `${x + dx} ${y + dy}`
  switch (state) {
    case 'failed':
      return `M${at(3.5, 3.5)}l6 6M${at(9.5, 3.5)}l-6 6`
    case 'success':
      return `M${at(3.5, 6.8)}l2.2 2.2 3.8-4.5`
    case 'partial_success':
      return `M${at(6.5, 3)}v4M${at(6.5, 9)}v1`
    case 'running':
      return `M${at(5, 3.5)}l4 3-4 3z`
    case 'queued':
      return `M${at(3, 4)}h7M${at(3, 6.5)}h7M${at(3, 9)}h7`
    case 'cancelled':
      return `M${at(4, 6.5)}h5`
    case 'not_started':
    case 'skipped':
    case 'never_ran':
    default:
      return ''
  }
}

/** The cell at a point, in pixels from the corner of the mosaic. */
export function cellAt(
  dags: readonly MosaicDag[],
  columns: number,
  x: number,
  y: number,
): MosaicDag | undefined {
  const column = Math.floor(x / cellStep)
  return column < 0 || column >= columns || y < 0
    ? undefined
    : dags[Math.floor(y / cellStep) * columns + column]
}

const order: readonly State[] = [
  'failed',
  'partial_success',
  'running',
  'queued',
  'not_started',
  'cancelled',
  'success',
  'never_ran',
]

/** `120 DAGs: 2 failed, 118 succeeded` */
export function mosaicText(dags: readonly MosaicDag[]): string {
  const counts = new Map<State, number>()
  for (const dag of dags) counts.set(cellState(dag), (counts.get(cellState(dag)) ?? 0) + 1)
  const states = order
    .filter((state) => counts.has(state))
    .map((state) => `${(counts.get(state) ?? 0).toLocaleString('en')} ${stateWord(state)}`)
  return `${dags.length.toLocaleString('en')} ${dags.length === 1 ? 'DAG' : 'DAGs'}: ${states.join(', ')}`
}
