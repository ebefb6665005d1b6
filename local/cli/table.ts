/** A column of a table: its cells, or also how they are shown. */
export type Column<Row> =
  | ((row: Row) => string)
  | {
      readonly cell: (row: Row) => string
      /** True when the text may be cut to fit the terminal. */
      readonly isText?: boolean
      readonly colour?: (text: string) => string
    }

/** Column titles, and the columns. */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>

/** A column whose text is cut first when the table is wider than the terminal. */
export const text = <Row>(cell: (row: Row) => string): Column<Row> => ({ cell, isText: true })

interface Options {
  /** Characters of a line; undefined: as many as needed. */
  readonly width: number | undefined
  readonly isColoured: boolean
  readonly plain: (text: string) => string
}

const gap = '  '
/** A text column keeps at least so many characters. */
const textWidthMin = 10

/** The lines of a table: a title, and a line for each row. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: Columns<Row>,
  { width, isColoured, plain }: Options,
): string[] {
  const titles = Object.keys(columns)
  const shown = Object.values(columns).map((column) =>
    typeof column === 'function' ? { cell: column } : column,
  )
  const cells = [
    titles.map((title) => title.toUpperCase()),
    ...rows.map((row) => shown.map(({ cell }) => plain(cell(row)))),
  ]
  const natural = titles.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)))
  const widths = fit(
    natural,
    shown.map((column) => 'isText' in column && (column.isText ?? false)),
    width,
  )
  return cells.map((line, row) =>
    line
      .map((value, index) => {
        const filled = cut(value, widths[index] ?? 0).padEnd(widths[index] ?? 0)
        const column = shown[index]
        const colour =
          row > 0 && isColoured && column !== undefined && 'colour' in column ? column.colour : undefined
        return colour === undefined ? filled : filled.replace(/^.*\S/, (word) => colour(word))
      })
      .join(gap)
      .trimEnd(),
  )
}

/** Narrows the widest text column, again and again, until the line fits or no text is left to cut. */
function fit(natural: readonly number[], isText: readonly boolean[], width: number | undefined): number[] {
  if (width === undefined) return [...natural]
  const widths = natural.map((one, index) => (isText[index] === true ? Math.min(one, width) : one))
  let surplus = widths.reduce((sum, one) => sum + one, 0) + gap.length * (widths.length - 1) - width
  while (surplus > 0) {
    const texts = widths.flatMap((one, index) =>
      isText[index] === true && one > textWidthMin ? [{ one, index }] : [],
    )
    const [widest, second] = texts.toSorted((a, b) => b.one - a.one)
    if (widest === undefined) break
    const least = Math.max(textWidthMin, second === undefined || second.one === widest.one ? 0 : second.one)
    const less = Math.min(surplus, second?.one === widest.one ? 1 : widest.one - least)
    widths[widest.index] = widest.one - less
    surplus -= less
  }
  return widths
}

const cut = (value: string, width: number): string =>
  value.length <= width ? value : `${value.slice(0, Math.max(0, width - 1))}…`
