import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'

/**
 * Overwrites values in `/proc/PID/environ`, which every process of the same user can read. The kernel shows the
 * original values there, even after the program has changed its variables.
 * @param process a pid, or `self`
 * @param isHidden decides by the name of the variable
 * @throws NodeJS.ErrnoException when the system does not allow it
 */
export function overwriteValues(process: number | 'self', isHidden: (name: string) => boolean): void {
  const { start, length } = blockRange(process)
  const memory = openSync(`/proc/${process}/mem`, 'r+')
  try {
    const block = Buffer.alloc(length)
    const size = readSync(memory, block, 0, length, start)
    for (const { name, from, until } of entriesOf(block.subarray(0, size))) {
      if (!isHidden(name)) continue
      writeSync(memory, Buffer.alloc(until - from, 'x'), 0, until - from, start + from)
    }
  } finally {
    closeSync(memory)
  }
}

/** The variables of a process in `/proc`; empty when it has ended, or its environment may not be read. */
export function shownVariables(pid: number): ReadonlyMap<string, string> {
  try {
    const block = readFileSync(`/proc/${pid}/environ`)
    return new Map(
      entriesOf(block).map(({ name, from, until }) => [name, block.toString('utf8', from, until)]),
    )
  } catch {
    return new Map()
  }
}

/** Fields 50 and 51 of /proc/PID/stat are the start and end addresses of the environment. */
function blockRange(process: number | 'self'): { start: number; length: number } {
  const stat = readFileSync(`/proc/${process}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const start = Number(fields[47])
  return { start, length: Number(fields[48]) - start }
}

/** Names, and offsets of their values, in a block of NUL-terminated `NAME=value` entries. */
function entriesOf(block: Buffer): { name: string; from: number; until: number }[] {
  const entries: { name: string; from: number; until: number }[] = []
  for (let at = 0; at < block.length;) {
    const found = block.indexOf(0, at)
    const until = found < 0 ? block.length : found
    const equals = block.indexOf('=', at)
    if (equals >= 0 && equals < until) {
      entries.push({ name: block.toString('latin1', at, equals), from: equals + 1, until })
    }
    at = until + 1
  }
  return entries
}
