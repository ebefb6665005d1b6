import { appendFile, readFile } from 'node:fs/promises'

/** The start of a line, with the number of bytes and lines before it. */
export interface LineMark {
  readonly bytes: number
  readonly lines: number
}

const origin: LineMark = { bytes: 0, lines: 0 }

/**
 * Marks of a large log, about one per megabyte, in a file next to it. With them, a window of lines is found without
 * reading everything before it. Small logs have none.
 */
export async function readMarks(path: string): Promise<readonly LineMark[]> {
  const text = await readFile(indexOf(path), 'utf8').catch(() => '')
  const marks = text.split('\n').flatMap((line) => {
    const [, bytes, lines] = /^(\d+) (\d+)\.$/.exec(line) ?? []
    return bytes === undefined ? [] : [{ bytes: Number(bytes), lines: Number(lines) }]
  })
  return [origin, ...marks]
}

/** A full disk may truncate a mark, so each ends with a full stop; one without it is ignored. */
export async function appendMark(path: string, mark: LineMark): Promise<void> {
  await appendFile(indexOf(path), `\n${mark.bytes} ${mark.lines}.`, { mode: 0o600 })
}

/** The last mark at or before the start of a line, counted from 1. */
export function markBefore(marks: readonly LineMark[], line: number): LineMark {
  return marks.findLast((mark) => mark.lines < line) ?? origin
}

function indexOf(path: string): string {
  return `${path}.lines`
}
