import { styleText } from 'node:util'
import { timeText } from './time-text.ts'
import { terminalText } from './terminal-text.ts'
import { tableLines, type Column, type Columns } from './table.ts'

type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold'

/** Output of a command. Only results go to standard output; with `--json`, each is one line of JSON. */
export interface Output {
  readonly isJson: boolean
  /** Prints one result: the value with `--json`, otherwise the text. */
  readonly show: (value: unknown, text: string) => void
  /** Prints a list: one line of JSON per row, or a table; `none` when it is empty. */
  readonly table: <Row>(rows: readonly Row[], columns: Columns<Row>, none: string) => void
  /** Prints the result as is, without adding a line break. */
  readonly write: (text: string) => void
  /** Prints text on standard error, without adding a line break. */
  readonly writeError: (text: string) => void
  /** Prints a permanent line about long work. Shown on a terminal only. */
  readonly note: (line: string) => void
  /** Progress of long work; each line replaces the last. Shown on a terminal only. */
  readonly progress: (line: string) => void
  /** Removes the progress line. */
  readonly end: () => void
  /** Formats an API time as local time with its zone, or in UTC with `--utc`; `-` when it is empty. */
  readonly time: (time: string | number) => string
  /** Colours a text on a terminal. */
  readonly style: (style: Style, text: string) => string
  /** Colours the label of a status on a terminal. */
  readonly status: (label: string) => string
  /** A column of labels of statuses. */
  readonly statuses: <Row>(cell: (row: Row) => string) => Column<Row>
}

/** Writes to the streams of this process. Colours respect NO_COLOR. */
export function createOutput({
  isJson,
  isUtc = false,
}: {
  readonly isJson: boolean
  readonly isUtc?: boolean
}): Output {
  const { stdout, stderr } = process
  // Pipes get the text unfiltered.
  const shown = (stream: NodeJS.WriteStream, text: string): string =>
    stream.isTTY ? terminalText(text) : text
  let isLineOpen = false
  const end = (): void => {
    if (isLineOpen) stderr.write('\r\u001B[K')
    isLineOpen = false
  }
  const write = (text: string): void => {
    end()
    stdout.write(shown(stdout, text))
  }
  const style = (style: Style, text: string): string => styleText(style, text, { stream: stdout })
  const status = (label: string): string => style(styleOf(label), label)
  return {
    isJson,
    write,
    end,
    writeError: (text) => {
      end()
      stderr.write(shown(stderr, text))
    },
    show: (value, text) => write(isJson ? `${JSON.stringify(value)}\n` : `${text}\n`),
    table: (rows, columns, none) => {
      if (isJson) for (const row of rows) write(`${JSON.stringify(row)}\n`)
      else if (rows.length === 0) write(`${none}\n`)
      else {
        const width = stdout.isTTY ? stdout.columns || undefined : undefined
        write(`${tableLines(rows, columns, { width, isColoured: stdout.isTTY, plain }).join('\n')}\n`)
      }
    },
    note: (line) => {
      if (!stderr.isTTY) return
      end()
      stderr.write(shown(stderr, `${line}\n`))
    },
    progress: (line) => {
      if (!stderr.isTTY) return
      end()
      stderr.write(plain(line).slice(0, (stderr.columns || 80) - 1))
      isLineOpen = true
    },
    time: (time) => timeText(time, { isUtc }),
    style,
    status,
    statuses: (cell) => ({ cell, colour: status }),
  }
}

function styleOf(label: string): Style {
  const word = label.toLowerCase()
  if (/^(finished|success|succeeded|healthy)/.test(word)) return 'green'
  if (/^(failed|error|faulty|unhealthy)/.test(word)) return 'red'
  if (/^(cancel|partial|differs|warning|doubtful)/.test(word)) return 'yellow'
  return word.startsWith('running') ? 'cyan' : 'dim'
}

/** Replaces control characters with blanks, so that data from a service cannot control the terminal. */
export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}
