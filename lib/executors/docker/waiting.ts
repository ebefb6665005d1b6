import { setTimeout as sleep } from 'node:timers/promises'

/** Settles like the promise, or rejects when the signal is aborted first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined)
    return Promise.reject(reasonOf(signal))
  }
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(reasonOf(signal))
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/**
 * Settles like the promise. For requests that must not be aborted, because their outcome would be unknown: rejects only
 * when the request still takes longer than `ms` after the signal.
 */
export function unlessStuck<T>(promise: Promise<T>, signal: AbortSignal, ms: number): Promise<T> {
  const stuck = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    timer = setTimeout(() => stuck.abort(signal.reason), ms)
  }
  if (signal.aborted) wait()
  else signal.addEventListener('abort', wait, { once: true })
  return unlessAborted(promise, stuck.signal).finally(() => {
    signal.removeEventListener('abort', wait)
    clearTimeout(timer)
  })
}

function reasonOf(signal: AbortSignal): Error {
  return new Error(`stopped: ${String(signal.reason)}`)
}

/** Settles like the promise, or with `late` after `ms` milliseconds. */
export async function within<T, L>(ms: number, promise: Promise<T>, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), ms)
  })
  try {
    return await Promise.race([promise, passed])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits; returns early when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
