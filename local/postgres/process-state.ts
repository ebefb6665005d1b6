import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export type ProcessState = 'running' | 'zombie' | 'gone'

/** The state of a process. A zombie has ended and only waits for its parent to reap it. */
export function processState(pid: number): ProcessState {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone'
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z') ? 'zombie' : 'running'
  } catch {
    return 'running'
  }
}

/** The command line of a process, arguments separated by blanks; empty when it has ended or is not readable. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    if (process.platform === 'linux') return ''
  }
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
