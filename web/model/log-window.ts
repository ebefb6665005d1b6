/** Lines of a page of a log, as they are asked for. */
export const linesPerPage = 1_000
/** Maximum number of cached pages; those farthest from the viewport are dropped. */
export const pagesKept = 12

/** The pages that hold these lines, counted from 0. */
export function pagesOf(firstLine: number, count: number): number[] {
  const from = Math.floor(firstLine / linesPerPage)
  const to = Math.floor(Math.max(firstLine, firstLine + count - 1) / linesPerPage)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** The pages to drop, so that at most `pagesKept` are left: those farthest from the viewport. */
export function pagesToForget(held: readonly number[], view: number): number[] {
  const byDistance = held.toSorted((a, b) => Math.abs(a - view) - Math.abs(b - view))
  return byDistance.slice(pagesKept)
}

/** The lines of an answer. The service ends each line with a line feed, also the last. */
export function linesOf(content: string): string[] {
  const text = content.endsWith('\n') ? content.slice(0, -1) : content
  return content === '' ? [] : text.split('\n').map(lastOverwritten)
}

/** A progress bar rewrites its line after a carriage return: a terminal would show only the last version. */
export function lastOverwritten(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  return text.slice(text.lastIndexOf('\r') + 1)
}

/** Lines that are marked, counted from 0; the last one belongs to them. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** The lines that `#L120` or `#L120-L140` links to. */
export function linesOfHash(hash: string): LineRange | undefined {
  const [, from, to = from] = /^#L(\d{1,12})(?:-L?(\d{1,12}))?$/.exec(hash) ?? []
  if (from === undefined) return undefined
  const [first, last] = [Number(from), Number(to)].toSorted((a, b) => a - b)
  return { first: Math.max(0, (first ?? 1) - 1), last: Math.max(0, (last ?? 1) - 1) }
}

/** The hash that links to lines. */
export const hashOfLines = ({ first, last }: LineRange): string =>
  first === last ? `#L${first + 1}` : `#L${first + 1}-L${last + 1}`

/** The marked lines, extended to another one. */
export function extended(range: LineRange | undefined, line: number): LineRange {
  if (range === undefined) return { first: line, last: line }
  return line < range.first ? { first: line, last: range.last } : { first: range.first, last: line }
}

/** `214 kB`, `3.2 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
