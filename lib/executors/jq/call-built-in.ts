import { Worker } from 'node:worker_threads'
import { limits } from '#lib/core/limits.ts'
import { KeyedSemaphore } from '../keyed-semaphore.ts'

export interface JqCall {
  /** JSON text with one or several values. */
  readonly input: string
  readonly filter: string
  /** As on jq's command line. */
  readonly flags: readonly string[]
}

export interface JqRequest extends JqCall {
  readonly memoryBytesMax: number
  /** Bytes by which the memory of all filters of this process has grown, and of this one. */
  readonly grown: BigInt64Array
  readonly ownGrown: BigInt64Array
  readonly allMemoryBytesMax: number
  /** Of each stream. */
  readonly outputBytesMax: number
}

export interface JqAnswer {
  readonly output: string
  /** What jq wrote to standard error. */
  readonly error: string
  readonly exitCode: number
}

/** Otherwise a DAG with many parallel filters would use up the memory of the machine. */
const semaphore = new KeyedSemaphore(limits.jqPerRunMax)
const grown = new BigInt64Array(new SharedArrayBuffer(8))

/**
 * Runs the built-in jq, with few filters of a run at the same time.
 * @param owner the run
 * @throws Error as {@link callInThread}
 */
export async function callBuiltIn(request: JqCall, owner: string, signal: AbortSignal): Promise<JqAnswer> {
  const giveBack = await semaphore.acquire(owner, signal)
  try {
    return await callInThread(request, signal)
  } finally {
    giveBack()
  }
}

/**
 * Runs the built-in jq in a thread of its own, which ends with the call: a filter may run forever or use up memory. In
 * the thread it sees neither files nor environment.
 * @throws Error when it takes too long or too much memory, or the signal is aborted
 */
async function callInThread(request: JqCall, signal: AbortSignal): Promise<JqAnswer> {
  if (signal.aborted) throw new Error('jq was stopped')
  const ownGrown = new BigInt64Array(new SharedArrayBuffer(8))
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: {
      ...request,
      filter: ` ${request.filter}`,
      memoryBytesMax: limits.jqMemoryBytesMax,
      allMemoryBytesMax: limits.jqAllMemoryBytesMax,
      grown,
      ownGrown,
      outputBytesMax: limits.jqOutputBytesMax,
    } satisfies JqRequest,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: limits.jqMemoryBytesMax / 1_048_576 },
    stdout: true,
    stderr: true,
  })
  const { promise, resolve, reject } = Promise.withResolvers<JqAnswer>()
  const stop = (): void => reject(new Error('jq was stopped'))
  const timer = setTimeout(
    () => reject(new Error(`the filter took longer than ${limits.jqMsMax / 1_000} s`)),
    limits.jqMsMax,
  )
  signal.addEventListener('abort', stop, { once: true })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('jq ended without an answer')))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
    Atomics.sub(grown, 0, Atomics.load(ownGrown, 0))
  }
}
