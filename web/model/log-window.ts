/** Lines of a page of a log, as they are asked for. */
export const linesPerPage = 1_000
/** Pages that are kept; of more, those farthest from the view go. */
export const pagesKept = 12

/** The pages that hold these lines, counted from 0. */
export function pagesOf(firstLine: number, count: number): number[] {
  const from = Math.floor(firstLine / linesPerPage)
  const to = Math.floor(Math.max(firstLine, firstLine + count - 1) / linesPerPage)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** The pages to forget, so that at most `pagesKept` are left: those farthest from the view. */
export function pagesToForget(held: readonly number[], view: number): number[] {
  const byDistance = held.toSorted((a, b) => Math.abs(a - view) - Math.abs(b - view))
  return byDistance.slice(pagesKept)
}

/** The lines of an answer. The service ends each line with a line feed, also the last. */
export function linesOf(content: string): string[] {
  const text = content.endsWith('\n') ? content.slice(0, -1) : content
  return content === '' ? [] : text.split('\n').map(lastOverwritten)
}

/** A progress bar writes its line again after a carriage return: what a terminal would show is the last. */
function lastOverwritten(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  return text.slice(text.lastIndexOf('\r') + 1)
}

/** The line that `#L120` links to, counted from 0. */
export function lineOfHash(hash: string): number | undefined {
  const found = /^#L(\d{1,12})$/.exec(hash)?.[1]
  return found === undefined ? undefined : Math.max(0, Number(found) - 1)
}
