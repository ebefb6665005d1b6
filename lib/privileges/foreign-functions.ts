import type * as ffi from 'node:ffi'
import { isMainThread } from 'node:worker_threads'

type Ffi = typeof ffi

/**
 * Node's foreign function interface. Undefined where Node has none (before 26), on systems other than 64-bit Linux, and
 * in worker threads.
 */
export function foreignFunctions(): Ffi | undefined {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch) || !isMainThread)
    return undefined
  try {
    return quietly(() => process.getBuiltinModule('node:ffi') as Ffi | undefined)
  } catch {
    return undefined
  }
}

/** Suppresses Node's warning that foreign functions are experimental; there is a fallback. */
function quietly<T>(load: () => T): T {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => {}
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
