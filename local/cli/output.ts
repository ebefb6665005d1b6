/** What a command says. Answers go to standard output and nothing else does; with `--json` each is one line of JSON. */
export interface Output {
  readonly isJson: boolean
  /** One answer. */
  readonly show: (value: unknown, text: string) => void
  /** A list: a line of JSON for each row, or a table. */
  readonly table: <Row>(rows: readonly Row[], columns: Columns<Row>, none: string) => void
  /** Text that is the answer as it stands, without a line break of its own. */
  readonly write: (text: string) => void
  /** How far long work has come; the next replaces it. Told to a person at a terminal only. */
  readonly progress: (line: string) => void
  /** Takes the line about the work away. */
  readonly end: () => void
}

/** Title of a column, and its cells. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string>>

/** Writes to the streams of this process. */
export function createOutput({ isJson }: { readonly isJson: boolean }): Output {
  const { stdout, stderr } = process
  let isLineOpen = false
  const end = (): void => {
    if (isLineOpen) stderr.write('\r\u001B[K')
    isLineOpen = false
  }
  const write = (text: string): void => {
    end()
    stdout.write(text)
  }
  return {
    isJson,
    write,
    end,
    show: (value, text) => write(isJson ? `${JSON.stringify(value)}\n` : `${text}\n`),
    table: (rows, columns, none) => {
      if (isJson) for (const row of rows) write(`${JSON.stringify(row)}\n`)
      else write(rows.length === 0 ? `${none}\n` : `${tableText(rows, columns).join('\n')}\n`)
    },
    progress: (line) => {
      if (!stderr.isTTY) return
      end()
      stderr.write(plain(line).slice(0, (stderr.columns || 80) - 1))
      isLineOpen = true
    },
  }
}

function tableText<Row>(rows: readonly Row[], columns: Columns<Row>): string[] {
  const lines = [
    Object.keys(columns).map((title) => title.toUpperCase()),
    ...rows.map((row) => Object.values(columns).map((cell) => plain(cell(row)))),
  ]
  const widths = Object.keys(columns).map((_, place) =>
    Math.max(...lines.map((cells) => cells[place]?.length ?? 0)),
  )
  return lines.map((cells) =>
    cells
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** What comes from a service may not move the cursor of a terminal. */
export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}
