import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'

/** Sends a signal to a whole group; a group that is gone already is no fault. */
export function signalGroup(pgid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pgid, signal)
  } catch {
    // ESRCH: nobody is left. EPERM: only processes of other users are left, which no signal of ours reaches.
  }
}

/**
 * True while a process of the group is left. Zombies do not count: in a container whose first process collects its
 * orphans late or never, they stay for long.
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
    // Behind the name, which may hold anything but ends at the last bracket: state, parent, group.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return group === String(pgid) && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

/** `TERM`, `SIGTERM` and `sigterm` are the same; what is no signal becomes SIGTERM. */
export function signalNamed(name: string): NodeJS.Signals {
  const full = `SIG${name.toUpperCase().replace(/^SIG/, '')}`
  return full in constants.signals ? (full as NodeJS.Signals) : 'SIGTERM'
}
