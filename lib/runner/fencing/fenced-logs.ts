import type { LogStore } from '#lib/logs/log-store.ts'
import { whileUnreachable } from '#lib/db/while-unreachable.ts'
import type { Lease } from './lease.ts'

export interface FenceOptions {
  readonly token: string
  readonly forgotten: AbortSignal
  /** Called when the store refuses output: once per outage, not for each retry. */
  readonly onRefused: (error: unknown) => void
}

/**
 * Wraps the log store for one run. While the lease is in doubt, appends wait. Once the run is lost, they are dropped,
 * because the new owner continues the log where the store ended. An unreachable store is waited for.
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
      if (lease.remaining() <= 0) await Promise.race([lease.whenValid(), whenForgotten])
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
