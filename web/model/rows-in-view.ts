/** Pixels that a scroll area may be high; browsers lose precision far beyond. */
const spaceMax = 4_000_000

export interface ViewOfRows {
  /** Pixels that the scroll area is high. */
  readonly space: number
  /** The first row that is seen, from 0, and how many are. */
  readonly first: number
  readonly count: number
  /** Pixels of the first row that are above the view. */
  readonly cut: number
}

/** Which rows of equal height stand in a view. @param top pixels above the view, were all rows on one long sheet */
export function rowsInView({ rows, rowHeight, viewHeight }: Sheet, top: number): ViewOfRows {
  const last = Math.max(0, rows * rowHeight - viewHeight)
  const at = Math.min(Math.max(0, top), last)
  const first = Math.floor(at / rowHeight)
  const count = Math.min(rows - first, Math.ceil(viewHeight / rowHeight) + 1)
  return { space: spaceOf(rows, rowHeight), first, count, cut: at - first * rowHeight }
}

export interface Sheet {
  readonly rows: number
  readonly rowHeight: number
  readonly viewHeight: number
}

export const spaceOf = (rows: number, rowHeight: number): number => Math.min(spaceMax, rows * rowHeight)

/**
 * Where the sheet stands after the scroll area has moved. Small moves (wheel, keys, fingers) move it by as many pixels,
 * large ones (the thumb, Home, End) in proportion, as the sheet may be far higher than the scroll area.
 * @param before where sheet and scroll area stood
 */
export function sheetTop(
  sheet: Sheet,
  before: { readonly top: number; readonly scrollTop: number },
  scrollTop: number,
): number {
  const space = spaceOf(sheet.rows, sheet.rowHeight)
  const whole = sheet.rows * sheet.rowHeight
  const range = Math.max(0, space - sheet.viewHeight)
  const sheetRange = Math.max(0, whole - sheet.viewHeight)
  if (space === whole) return Math.min(scrollTop, sheetRange)
  if (scrollTop <= 0) return 0
  if (scrollTop >= range - 1) return sheetRange
  const move = scrollTop - before.scrollTop
  if (Math.abs(move) > 2 * sheet.viewHeight) return (scrollTop / range) * sheetRange
  return Math.min(Math.max(0, before.top + move), sheetRange)
}

/** Where the scroll area belongs when the sheet stands at `top`: the reverse of the proportion. */
export function scrollTopAt(sheet: Sheet, top: number): number {
  const space = spaceOf(sheet.rows, sheet.rowHeight)
  const sheetRange = Math.max(1, sheet.rows * sheet.rowHeight - sheet.viewHeight)
  return Math.round((top / sheetRange) * Math.max(0, space - sheet.viewHeight))
}
