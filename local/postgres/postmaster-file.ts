import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine, processState } from './process-state.ts'

export type Postmaster =
  | { readonly state: 'ready'; readonly pid: number; readonly port: number }
  | { readonly state: 'changing'; readonly pid: number }
  | { readonly state: 'zombie'; readonly pid: number }
  | { readonly state: 'foreign'; readonly pid: number }
  | { readonly state: 'none' }

/**
 * Reads the state of a data folder's server from `postmaster.pid`, and verifies it against the process list. After a
 * kill, the file still contains `ready` and the old port, and its pid may belong to another program. `changing`: the
 * server starts or stops; `foreign`: the pid belongs to another program.
 */
export function readPostmaster(dataFolder: string): Postmaster {
  const lines = readLines(dataFolder)
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return { state: 'none' }
  const state = processState(pid)
  if (state === 'zombie') return { state, pid }
  if (state === 'gone') return { state: 'none' }
  if (!commandLine(pid).includes(dataFolder)) return { state: 'foreign', pid }
  return lines[7]?.trim() === 'ready'
    ? { state: 'ready', pid, port: Number(lines[3]) }
    : { state: 'changing', pid }
}

/**
 * Makes a left-over `postmaster.pid` harmless when its pid is an unreaped zombie or an unrelated program: PostgreSQL
 * treats a pid file that names its own parent as stale. The rest of the file stays, so PostgreSQL still
 * checks that no process of the old server is attached to the shared memory.
 */
export function disownPostmasterFile(dataFolder: string, expected: number): void {
  const [pid, ...rest] = readLines(dataFolder)
  if (Number(pid) !== expected) return
  const next = join(dataFolder, `postmaster.pid.${process.pid}`)
  writeFileSync(next, [process.pid, ...rest].join('\n'), { mode: 0o644 })
  renameSync(next, join(dataFolder, 'postmaster.pid'))
}

function readLines(dataFolder: string): string[] {
  try {
    return readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}
