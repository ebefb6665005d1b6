import type { LogKey, LogStore } from './log-store.ts'

const chunkBytes = 262_144

/**
 * Copies one stream to another store. Bytes that exist there are compared, not written again, so an interrupted move
 * can be repeated.
 * @returns number of copied bytes; 'differs' when the target has other content, which is left as it is
 */
export async function moveLog(key: LogKey, from: LogStore, to: LogStore): Promise<number | 'differs'> {
  const before = await to.end(key)
  if (before.bytes > 0 && !(await beginsWith(from, to, key))) return 'differs'
  let { sequence } = before
  let copied = 0
  for await (const piece of from.read(key, before.bytes)) {
    for (let at = 0; at < piece.length; at += chunkBytes) {
      await to.append(key, sequence++, piece.subarray(at, at + chunkBytes))
    }
    copied += piece.length
  }
  if (copied > 0) await to.settle(key)
  return copied
}

/** Whether a stream in one store begins with all that the other store has of it. */
async function beginsWith(long: LogStore, short: LogStore, key: LogKey): Promise<boolean> {
  const wanted = long.read(key, 0)[Symbol.asyncIterator]()
  let have: Uint8Array = new Uint8Array()
  for await (let piece of short.read(key, 0)) {
    while (piece.length > 0) {
      if (have.length === 0) {
        const next = await wanted.next()
        if (next.done === true) return false
        have = next.value
      }
      const size = Math.min(piece.length, have.length)
      if (Buffer.compare(piece.subarray(0, size), have.subarray(0, size)) !== 0) return false
      piece = piece.subarray(size)
      have = have.subarray(size)
    }
  }
  await wanted.return?.()
  return true
}
