/** Maximum height of a scroll area in pixels; browsers lose precision far beyond. */
const spaceMax = 4_000_000
/** Pixels at both ends where the scroll area and the sheet move in step, so that both ends are reached smoothly. */
const evenEnds = 200_000

export interface ViewOfRows {
  /** Height of the scroll area, pixels. */
  readonly space: number
  /** The first row that is seen, from 0, and how many are. */
  readonly first: number
  readonly count: number
  /** Pixels of the first row that are above the view. */
  readonly cut: number
}

/** The visible rows of equal height. @param top pixels of the sheet above the viewport */
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

/** The positions of the sheet and the scroll area. */
export interface Position {
  readonly top: number
  readonly scrollTop: number
}

export const spaceOf = (rows: number, rowHeight: number): number => Math.min(spaceMax, rows * rowHeight)

/**
 * The position of the sheet after the area has scrolled. Small moves (wheel, keys, fingers) move it by as many pixels,
 * large ones (the thumb, Home, End) in proportion, as the sheet may be far higher than the scroll area.
 */
export function sheetTop(sheet: Sheet, before: Position, scrollTop: number): number {
  const { range, sheetRange } = rangesOf(sheet)
  const move = scrollTop - before.scrollTop
  if (range === sheetRange || Math.abs(move) > 2 * sheet.viewHeight) return topAt(sheet, scrollTop)
  // Up to a pixel is lost where the browser rounds.
  if (scrollTop >= range - 1 && before.top + move >= sheetRange - 2) return sheetRange
  return Math.min(Math.max(0, before.top + move), sheetRange)
}

/** Whether the scroll area is so misaligned that the next moves would reach its ends too early or too late. */
export function isAdrift(sheet: Sheet, { top, scrollTop }: Position): boolean {
  return Math.abs(scrollTopAt(sheet, top) - scrollTop) > sheet.viewHeight / 2
}

/** The position of the scroll area for the sheet position `top`. */
export function scrollTopAt(sheet: Sheet, top: number): number {
  const { range, sheetRange, end } = rangesOf(sheet)
  if (range === sheetRange || top <= end) return Math.round(top)
  if (sheetRange - top <= end) return Math.round(range - (sheetRange - top))
  return Math.round(end + ((top - end) / (sheetRange - 2 * end)) * (range - 2 * end))
}

/** The position of the sheet for the scroll position `scrollTop`: the inverse of {@link scrollTopAt}. */
function topAt(sheet: Sheet, scrollTop: number): number {
  const { range, sheetRange, end } = rangesOf(sheet)
  if (range !== sheetRange && scrollTop >= range - 1) return sheetRange
  if (range === sheetRange || scrollTop <= end) return Math.min(Math.max(0, scrollTop), sheetRange)
  if (range - scrollTop <= end) return sheetRange - (range - scrollTop)
  return end + ((scrollTop - end) / (range - 2 * end)) * (sheetRange - 2 * end)
}

function rangesOf({ rows, rowHeight, viewHeight }: Sheet): {
  range: number
  sheetRange: number
  end: number
} {
  const range = Math.max(0, spaceOf(rows, rowHeight) - viewHeight)
  return { range, sheetRange: Math.max(0, rows * rowHeight - viewHeight), end: Math.min(evenEnds, range / 4) }
}
