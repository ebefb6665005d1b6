import { parentPort, workerData } from 'node:worker_threads'
import jqWeb from 'jq-web'
import type { JqAnswer, JqRequest } from './call-built-in.ts'

const request = workerData as JqRequest
const { input, filter, flags, memoryBytesMax, outputBytesMax } = request

// Emscripten grows its memory by this call; an exception makes it report that there is no more memory.
const memory = WebAssembly.Memory.prototype
const grow = Reflect.get(memory, 'grow')
memory.grow = function (this: WebAssembly.Memory, pages: number): number {
  const bytes = pages * 65_536
  if (this.buffer.byteLength + bytes > memoryBytesMax)
    throw new RangeError('the filter needs too much memory')
  if (Atomics.add(request.grown, 0, BigInt(bytes)) + BigInt(bytes) > request.allMemoryBytesMax) {
    Atomics.sub(request.grown, 0, BigInt(bytes))
    throw new RangeError('the filters of this runner need too much memory')
  }
  Atomics.add(request.ownGrown, 0, BigInt(bytes))
  return grow.call(this, pages)
}

// jq-web collects what jq writes byte by byte in arrays without a bound. The heap would run out, which ends the whole
// process, not only this thread; so the thread ends before.
const push = Reflect.get(Array.prototype, 'push')
// oxlint-disable-next-line eslint/no-extend-native -- of this thread only
Array.prototype.push = function (...items: unknown[]): number {
  if (this.length >= outputBytesMax) endWith(`the filter writes more than ${outputBytesMax} bytes`)
  return push.apply(this, items)
}

function endWith(error: string): never {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ output: '', error, exitCode: 5 } satisfies JqAnswer)
  process.exit()
}

const warnings: string[] = []
// Warnings of jq arrive here, after three arguments for colour.
Object.assign(console, { warn: (...words: unknown[]) => warnings.push(words.slice(3).join(' ')) })

const jq = await jqWeb
let answer: JqAnswer
try {
  const output = jq.raw(input, filter, [...flags]) ?? ''
  answer = { output, error: warnings.join('\n'), exitCode: 0 }
} catch (error) {
  const { exitCode = 1, stderr, message } = error as Error & { exitCode?: number; stderr?: string }
  answer = { output: '', error: stderr ?? message, exitCode }
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(answer)
