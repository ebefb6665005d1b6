export interface RowWindow {
  /** Rows of the list. */
  readonly rows: number
  readonly rowHeight: number
  /** Pixels of the list above the view; negative: it begins below the top of the view. */
  readonly top: number
  readonly viewHeight: number
  /** A row that stays rendered because it has the focus. */
  readonly kept?: number | undefined
}

/** Shorter lists are rendered completely. */
const allMax = 60
/** Extra rows rendered above and below the view. */
const spare = 8
/** Rows are added and removed in steps of this size. */
const step = 4

/** A piece of a list: a row, or the pixels of rows that are left out. */
export type Piece = { readonly row: number } | { readonly gap: number }

/** Which rows of a long list are on the page: those in view, some around them, and the one that has the focus. */
export function windowRows({ rows, rowHeight, top, viewHeight, kept }: RowWindow): Piece[] {
  if (rows <= allMax) return Array.from({ length: rows }, (_, row) => ({ row }))
  const first = Math.floor(top / rowHeight / step) * step - spare
  const count = Math.ceil(viewHeight / rowHeight) + 2 * spare + step
  const from = Math.min(Math.max(0, first), rows - 1)
  const shown = Array.from({ length: Math.min(count, rows - from, allMax - 1) }, (_, index) => from + index)
  const withKept = kept === undefined || kept >= rows || shown.includes(kept) ? shown : [...shown, kept]
  const pieces: Piece[] = []
  let next = 0
  for (const row of withKept.toSorted((one, other) => one - other)) {
    if (row > next) pieces.push({ gap: (row - next) * rowHeight })
    pieces.push({ row })
    next = row + 1
  }
  if (next < rows) pieces.push({ gap: (rows - next) * rowHeight })
  return pieces
}
