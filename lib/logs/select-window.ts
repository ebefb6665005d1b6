import { limits } from '#lib/core/limits.ts'
import type { LogWindow } from './log-store.ts'

/** Line parameters of a request; absent, 0 and negative ones are ignored. */
export interface WindowQuery {
  readonly tail?: number | undefined
  readonly head?: number | undefined
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

/** Precedence: `tail`, `head`, `offset` with `limit`, `limit` alone. */
export function selectWindow(query: WindowQuery): LogWindow {
  const given = (value: number | undefined): number | undefined =>
    value === undefined || value <= 0 ? undefined : value
  const bounded = (value: number): number => Math.min(value, limits.logLinesMax)
  const tail = given(query.tail)
  if (tail !== undefined) return { from: 'end', limit: bounded(tail) }
  const head = given(query.head)
  if (head !== undefined) return { from: 'start', offset: 1, limit: bounded(head) }
  const limit = bounded(given(query.limit) ?? limits.logLinesDefault)
  return { from: 'start', offset: given(query.offset) ?? 1, limit }
}
