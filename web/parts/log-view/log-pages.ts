import { signal, type ReadonlySignal } from '@preact/signals'
import { linesOf, linesPerPage, pagesOf, pagesToForget } from '../../model/log-window.ts'

/** Lines of a log as the service answers them. */
export interface LogAnswer {
  readonly content: string
  readonly totalLines: number
  /** Of the end: the attempt of the run that wrote it, a hyphen, and a byte. */
  readonly position: string
  /** Lines of which bytes are missing; lines are counted from 1. */
  readonly cut?: readonly { readonly line: number; readonly bytes: number }[]
}

/** @param offset the first line, counted from 1 */
export type ReadLines = (offset: number, limit: number) => Promise<LogAnswer>

/** The loaded part of a log: at most twelve pages of a thousand lines, around the viewport. */
export interface LogPages {
  readonly total: ReadonlySignal<number | undefined>
  readonly error: ReadonlySignal<Error | undefined>
  /** Grows with every answer; components that read it render again. */
  readonly version: ReadonlySignal<number>
  readonly line: (index: number) => string | undefined
  /** Bytes of a line that were not sent. */
  readonly missing: (index: number) => number
  /** Reads the pages of these lines, if need be. */
  readonly want: (first: number, count: number) => void
  /** Loads what follows the known end. */
  readonly readOn: () => Promise<void>
}

interface Page {
  readonly lines: readonly string[]
  readonly missing: ReadonlyMap<number, number>
}

const nothing: Page = { lines: [], missing: new Map() }

export function createLogPages(read: ReadLines): LogPages {
  const held = new Map<number, Page>()
  const asked = new Set<number>()
  const total = signal<number | undefined>(undefined)
  const error = signal<Error | undefined>(undefined)
  const version = signal(0)
  let attempt: string | undefined

  /** Whether a later attempt of the run writes now. */
  function isOfAnother(position: string): boolean {
    const before = attempt
    ;[attempt] = position.split('-')
    return before !== undefined && before !== attempt
  }

  async function load(page: number): Promise<void> {
    if (asked.has(page)) return
    asked.add(page)
    try {
      // The last line of a page that was read while the log grew may have been half written.
      const known = held.get(page) ?? nothing
      const kept = known.lines.slice(0, -1)
      const first = page * linesPerPage + kept.length + 1
      const { content, totalLines, position, cut = [] } = await read(first, linesPerPage - kept.length)
      if (isOfAnother(position)) {
        held.clear()
        total.value = 0
        // The next read starts at its beginning.
        if (kept.length > 0) return
      }
      const missing = new Map([...known.missing, ...cut.map(({ line, bytes }) => [line - 1, bytes] as const)])
      held.set(page, { lines: [...kept, ...linesOf(content)], missing })
      for (const old of pagesToForget([...held.keys()], page)) held.delete(old)
      total.value = Math.max(total.value ?? 0, totalLines)
      error.value = undefined
      version.value += 1
    } catch (thrown) {
      error.value = thrown instanceof Error ? thrown : new Error(String(thrown))
    } finally {
      asked.delete(page)
    }
  }

  /** A page that was read while the log grew is short. */
  const isWhole = (page: number): boolean => {
    const lines = held.get(page)?.lines.length ?? -1
    return lines >= Math.min(linesPerPage, (total.value ?? 0) - page * linesPerPage)
  }
  const pageOf = (index: number): Page | undefined => held.get(Math.floor(index / linesPerPage))

  return {
    total,
    error,
    version,
    line: (index) => pageOf(index)?.lines[index % linesPerPage],
    missing: (index) => pageOf(index)?.missing.get(index) ?? 0,
    want(first, count) {
      if (total.value === undefined || count < 1) return
      for (const page of pagesOf(first, count)) if (!isWhole(page)) void load(page)
    },
    readOn: () =>
      load(Math.floor(Math.max(0, (total.value ?? 1) - 1) / linesPerPage)).then(async () => {
        const page = Math.floor(Math.max(0, (total.value ?? 1) - 1) / linesPerPage)
        if (!isWhole(page)) await load(page)
      }),
  }
}
