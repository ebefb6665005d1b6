import type { LogSpan, LogWindow } from './log-store.ts'
import type { LineBounds } from './scan-lines.ts'

/** The span of no lines. */
export const noLines = (totalLines: number): LogSpan => ({
  start: 0,
  end: 0,
  lineCount: 0,
  totalLines,
  firstLine: 0,
  cutBytes: 0,
})

/** The lines that a window names, of those that exist; undefined when it names none. */
export function linesOf(
  window: LogWindow,
  totalLines: number,
): { readonly first: number; readonly last: number } | undefined {
  const first = window.from === 'end' ? Math.max(1, totalLines - window.limit + 1) : window.offset
  const last = Math.min(totalLines, first + window.limit - 1)
  return first > last ? undefined : { first, last }
}

/** As many whole lines as fit into `bytesMax` bytes; one that does not fit by itself is cut. */
export function fitLines(
  { starts, end }: LineBounds,
  lines: { readonly first: number; readonly totalLines: number },
  { from, bytesMax }: { readonly from: LogWindow['from']; readonly bytesMax: number },
): LogSpan {
  const endOf = (index: number): number => (starts[index + 1] ?? end + 1) - 1
  const lastIndex = starts.length - 1
  let [begin, stop] = [0, lastIndex]
  if (from === 'end') {
    const least = end - bytesMax
    const fitting = starts.findIndex((start) => start >= least)
    begin = fitting < 0 ? lastIndex : fitting
  } else {
    const most = (starts[0] ?? 0) + bytesMax
    while (stop > 0 && endOf(stop) > most) stop--
  }
  const start = starts[begin] ?? 0
  const whole = endOf(stop)
  const fitting = Math.min(whole, start + bytesMax)
  return {
    start,
    end: fitting,
    lineCount: stop - begin + 1,
    totalLines: lines.totalLines,
    firstLine: lines.first + begin,
    cutBytes: whole - fitting,
  }
}

/** The bytes of a span, piece by piece. */
export async function* readSpan(
  pieces: AsyncIterable<Uint8Array>,
  { start, end }: Pick<LogSpan, 'start' | 'end'>,
): AsyncGenerator<Uint8Array> {
  let left = end - start
  if (left === 0) return
  for await (const piece of pieces) {
    yield piece.subarray(0, left)
    left -= piece.length
    if (left <= 0) return
  }
}
