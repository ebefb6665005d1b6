import type { LogStore } from '#lib/logs/log-store.ts'
import { whileUnreachable } from '#lib/db/while-unreachable.ts'
import type { Lease } from './lease.ts'

export interface FenceOptions {
  readonly token: string
  readonly forgotten: AbortSignal
  /** The store took nothing; told once until it takes something again. */
  readonly onRefused: (error: unknown) => void
}

/**
 * A store as one run may write to it: while it is in doubt whether the run is still ours, bytes wait; when it is not,
 * they are dropped, for the new owner goes on writing where the store ended. A store that is away is waited for.
 */
export function fencedLogs(
  store: LogStore,
  lease: Lease,
  { token, forgotten, onRefused }: FenceOptions,
): LogStore {
  const whenForgotten = new Promise<void>((resolve) => {
    if (forgotten.aborted) resolve()
    else forgotten.addEventListener('abort', () => resolve(), { once: true })
  })
  let isRefused = false
  return {
    ...store,
    end: (key) =>
      whileUnreachable(
        () => store.end(key),
        () => !forgotten.aborted,
      ),
    append: async (key, sequence, bytes) => {
      if (lease.remaining() <= 0) await Promise.race([lease.good(), whenForgotten])
      if (forgotten.aborted) return
      try {
        await store.append(key, sequence, bytes, token)
        isRefused = false
      } catch (error) {
        if (!isRefused) onRefused(error)
        isRefused = true
        throw error
      }
    },
  }
}
