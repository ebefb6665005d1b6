import { closeSync, writeSync } from 'node:fs'
import { readSmallFile } from '#lib/files/read-small-file.ts'
import { FileError } from '#lib/files/file-error.ts'
import { openLogToAppend } from './open-log.ts'

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
export function readMarks(path: string): readonly LineMark[] {
  const text = readIndex(indexOf(path))
  const marks = text.split('\n').flatMap((line) => {
    const [, bytes, lines] = /^(\d+) (\d+)\.$/.exec(line) ?? []
    return bytes === undefined ? [] : [{ bytes: Number(bytes), lines: Number(lines) }]
  })
  return [origin, ...marks]
}

/** A full disk may truncate a mark, so each ends with a full stop; one without it is ignored. */
export function appendMark(path: string, mark: LineMark): void {
  const file = openLogToAppend(indexOf(path))
  try {
    writeSync(file, `\n${mark.bytes} ${mark.lines}.`)
  } finally {
    closeSync(file)
  }
}

/** The last mark at or before the start of a line, counted from 1. */
export function markBefore(marks: readonly LineMark[], line: number): LineMark {
  return marks.findLast((mark) => mark.lines < line) ?? origin
}

function readIndex(path: string): string {
  try {
    return readSmallFile(path, { what: 'log', followsLinks: false }).toString('utf8')
  } catch (error) {
    if (error instanceof FileError) return ''
    throw error
  }
}

function indexOf(path: string): string {
  return `${path}.lines`
}
