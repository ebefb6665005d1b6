import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'

/** Sends a signal to a whole group. A group that has ended is not an error. */
export function signalGroup(pgid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pgid, signal)
  } catch {
    // ESRCH: the group has ended. EPERM: only processes of other users are left, which we cannot signal.
  }
}

/**
 * Whether a process of the group is left. Zombies do not count: in a container whose first process reaps orphans late
 * or never, they remain for long.
 */
export function isGroupAlive(pgid: number): boolean {
  try {
    process.kill(-pgid, 0)
  } catch {
    return false
  }
  return process.platform !== 'linux' || listProcesses().some((pid) => isLivingMember(pid, pgid))
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function isLivingMember(pid: string, pgid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // After the name, which may contain anything but ends at the last bracket: state, parent, group.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return group === String(pgid) && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

/** `TERM`, `SIGTERM` and `sigterm` are the same; an unknown name becomes SIGTERM. */
export function signalNamed(name: string): NodeJS.Signals {
  const full = `SIG${name.toUpperCase().replace(/^SIG/, '')}`
  return full in constants.signals ? (full as NodeJS.Signals) : 'SIGTERM'
}
