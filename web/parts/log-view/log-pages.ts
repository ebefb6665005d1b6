import { signal, type ReadonlySignal } from '@preact/signals'
import { linesOf, linesPerPage, pagesOf, pagesToForget } from '../../model/log-window.ts'

/** Lines of a log as the service answers them. */
export interface LogAnswer {
  readonly content: string
  readonly totalLines: number
}

/** @param offset the first line, counted from 1 */
export type ReadLines = (offset: number, limit: number) => Promise<LogAnswer>

/** The part of a log that is held: at most twelve pages of a thousand lines, wherever somebody looks. */
export interface LogPages {
  readonly total: ReadonlySignal<number | undefined>
  readonly error: ReadonlySignal<Error | undefined>
  /** Grows with every answer: whoever shows lines reads it, and looks again. */
  readonly version: ReadonlySignal<number>
  readonly line: (index: number) => string | undefined
  /** Reads the pages of these lines, if need be. */
  readonly want: (first: number, count: number) => void
  /** Reads on at the end of what is known. */
  readonly readOn: () => Promise<void>
}

export function createLogPages(read: ReadLines): LogPages {
  const held = new Map<number, readonly string[]>()
  const asked = new Set<number>()
  const total = signal<number | undefined>(undefined)
  const error = signal<Error | undefined>(undefined)
  const version = signal(0)

  async function load(page: number): Promise<void> {
    if (asked.has(page)) return
    asked.add(page)
    try {
      const { content, totalLines } = await read(page * linesPerPage + 1, linesPerPage)
      held.set(page, linesOf(content))
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
    const lines = held.get(page)?.length ?? -1
    return lines >= Math.min(linesPerPage, (total.value ?? 0) - page * linesPerPage)
  }

  return {
    total,
    error,
    version,
    line: (index) => held.get(Math.floor(index / linesPerPage))?.[index % linesPerPage],
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
