/** A column of a table: a function for its cells, optionally with display options. */
export type Column<Row> =
  | ((row: Row) => string)
  | {
      readonly cell: (row: Row) => string
      /** True when the text may be cut to fit the terminal. */
      readonly isText?: boolean
      /** True for ids of runs, which commands also take by their beginning. */
      readonly isId?: boolean
      readonly colour?: (text: string) => string
    }

/** Columns by title. */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>

/** A column whose text is cut first when the table is wider than the terminal. */
export const text = <Row>(cell: (row: Row) => string): Column<Row> => ({ cell, isText: true })

/** A column of ids of runs: shown by their beginnings when the table is wider than the terminal. */
export const runId = <Row>(cell: (row: Row) => string): Column<Row> => ({ cell, isId: true })

interface Options {
  /** Characters per line; undefined for no limit. */
  readonly width: number | undefined
  readonly isColoured: boolean
  readonly plain: (text: string) => string
}

const gap = '  '
/** Minimum width of a text column, in characters. */
const textWidthMin = 10
/** Length of the id prefix that encodes the start time in milliseconds. */
const idWidthMin = 13

/** The lines of a table: a title, and a line for each row. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: Columns<Row>,
  { width, isColoured, plain }: Options,
): string[] {
  const natural = Object.entries(columns).map(([title, column]) => {
    const { cell, isText = false, isId = false, colour } = asObject(column)
    const values = rows.map((row) => plain(cell(row)))
    return { title: title.toUpperCase(), values, isText, isId, colour }
  })
  const isTooWide = width !== undefined && lengthOf(natural.map(widthOf)) > width
  const shown = isTooWide
    ? natural
        .filter(({ isText, values }) => !isText || values.some((value) => value !== ''))
        .map(withShortIds)
    : natural
  const widths = fit(
    shown.map(widthOf),
    shown.map(({ isText }) => isText),
    width,
  )
  const line = (cellOf: (column: (typeof shown)[number]) => string, isTitle = false): string =>
    shown
      .map((column, index) => {
        const filled = cut(cellOf(column), widths[index] ?? 0).padEnd(widths[index] ?? 0)
        const { colour } = column
        if (isTitle || !isColoured || colour === undefined) return filled
        return filled.replace(/^.*\S/, (word) => colour(word))
      })
      .join(gap)
      .trimEnd()
  return [line(({ title }) => title, true), ...rows.map((_, row) => line(({ values }) => values[row] ?? ''))]
}

interface Shown {
  readonly title: string
  readonly values: readonly string[]
}

const asObject = <Row>(column: Column<Row>) => (typeof column === 'function' ? { cell: column } : column)

const widthOf = ({ title, values }: Shown): number =>
  values.reduce((most, { length }) => Math.max(most, length), title.length)

const lengthOf = (widths: readonly number[]): number =>
  widths.reduce((sum, one) => sum + one, 0) + gap.length * (widths.length - 1)

/** Cuts ids to the shortest prefixes, of one length, that are unique in the table. */
function withShortIds<Column extends Shown & { readonly isId: boolean }>(column: Column): Column {
  if (!column.isId) return column
  const ids = [...new Set(column.values)].toSorted()
  let length = idWidthMin
  for (const [index, id] of ids.entries()) {
    const next = ids[index + 1] ?? ''
    while (next !== '' && length < id.length && id.slice(0, length) === next.slice(0, length)) length += 1
  }
  return { ...column, values: column.values.map((id) => id.slice(0, length)) }
}

/** Repeatedly narrows the widest text column until the line fits or all are at their minimum. */
function fit(natural: readonly number[], isText: readonly boolean[], width: number | undefined): number[] {
  if (width === undefined) return [...natural]
  const widths = natural.map((one, index) => (isText[index] === true ? Math.min(one, width) : one))
  let surplus = lengthOf(widths) - width
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
