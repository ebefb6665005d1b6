import type * as ffi from 'node:ffi'
import { isMainThread } from 'node:worker_threads'

type Ffi = typeof ffi

/**
 * Node's foreign function interface. Undefined before Node 26, on systems other than x64 or arm64 Linux, and in worker
 * threads.
 */
export function foreignFunctions(): Ffi | undefined {
  if (unfitHere() !== undefined) return undefined
  try {
    return quietly(() => process.getBuiltinModule('node:ffi') as Ffi | undefined)
  } catch {
    return undefined
  }
}

/** The reason why there is none, as a clause for after "because"; undefined if there is one. */
export function whyNoForeignFunctions(): string | undefined {
  const unfit = unfitHere()
  if (unfit !== undefined || foreignFunctions() !== undefined) return unfit
  return `node:ffi comes with Node 26, and this is Node ${process.versions.node}`
}

function unfitHere(): string | undefined {
  if (process.platform !== 'linux') return `it needs Linux, and this is ${process.platform}`
  if (!['x64', 'arm64'].includes(process.arch)) return `it needs x64 or arm64, and this is ${process.arch}`
  return isMainThread ? undefined : 'it needs the main thread'
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
