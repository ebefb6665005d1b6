import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'

/**
 * Overwrites the values of variables in /proc/PID/environ, where every process of the same user can read them (steps
 * run as the same user). The kernel keeps the original values there even when they are deleted from `process.env`. Read
 * the values before; afterwards they are gone. Does nothing on other systems.
 * @returns whether the values are hidden
 */
export function hideEnvironment(names: readonly string[]): boolean {
  if (process.platform !== 'linux') return false
  try {
    const { start, length } = environmentRange()
    const memory = openSync('/proc/self/mem', 'r+')
    try {
      const block = Buffer.alloc(length)
      readSync(memory, block, 0, length, start)
      for (const [from, until] of valueRanges(block, names)) {
        writeSync(memory, Buffer.alloc(until - from, 'x'), 0, until - from, start + from)
      }
    } finally {
      closeSync(memory)
    }
    return true
  } catch {
    return false
  }
}

/** Fields 50 and 51 of /proc/PID/stat: start and end address of the environment. */
function environmentRange(): { start: number; length: number } {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const start = Number(fields[47])
  return { start, length: Number(fields[48]) - start }
}

/** The positions of the values in a block of `NAME=value` texts, each of which ends with a NUL. */
function valueRanges(block: Buffer, names: readonly string[]): [number, number][] {
  const ranges: [number, number][] = []
  for (let at = 0; at < block.length;) {
    const found = block.indexOf(0, at)
    const end = found < 0 ? block.length : found
    const equals = block.indexOf('=', at)
    const name = equals < 0 || equals > end ? '' : block.toString('latin1', at, equals)
    if (names.includes(name)) ranges.push([equals + 1, end])
    at = end + 1
  }
  return ranges
}
