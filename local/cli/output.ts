/** Output of a command. Answers, and nothing else, go to standard output; with `--json`, each is one line of JSON. */
export interface Output {
  readonly isJson: boolean
  /** One answer. */
  readonly show: (value: unknown, text: string) => void
  /** A list: one line of JSON per row, or a table. */
  readonly table: <Row>(rows: readonly Row[], columns: Columns<Row>, none: string) => void
  /** Text that is the answer itself; no line break is added. */
  readonly write: (text: string) => void
  /** Progress of long work; each line replaces the last. Shown on a terminal only. */
  readonly progress: (line: string) => void
  /** Removes the progress line. */
  readonly end: () => void
}

/** Column titles, and the functions that produce the cells. */
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

/** Removes control characters, so that data of a service cannot control the terminal. */
export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}
