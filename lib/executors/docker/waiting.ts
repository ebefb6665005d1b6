import { setTimeout as sleep } from 'node:timers/promises'

/** Settles like the promise, or rejects when the signal comes first. */
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
 * Settles like the promise of a request that must not be broken off, because nobody would know what came of it;
 * rejects when it is still under way so long after the signal.
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

/** Settles like the promise, or with `late` when that takes too long. */
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

/** Waits; ends early when the signal comes. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
