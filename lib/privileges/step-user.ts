import { accessSync, constants, readFileSync } from 'node:fs'
import { foreignFunctions } from './foreign-functions.ts'

/** The user that steps run as. */
export interface StepUser {
  /** As in the setting: a name or a uid. */
  readonly name: string
  readonly uid: number
  readonly gid: number
  /** All groups, the primary one included. */
  readonly groups: readonly number[]
  /** Its home directory; `/` when /etc/passwd does not list the user. */
  readonly home: string
  /** Path of setpriv(1), which drops all privileges and executes a program. */
  readonly setpriv: string
}

/** Bits of capabilities(7). */
const needed = { CAP_KILL: 5, CAP_SETGID: 6, CAP_SETUID: 7 }

/**
 * Resolves `MILLRACE_STEP_USER`: a name, a uid, or uid:gid.
 * @throws Error that names the setting, when the user does not exist or this process cannot start steps as that user
 */
export function resolveStepUser(setting: string): StepUser {
  const refuse = (why: string): Error => new Error(`MILLRACE_STEP_USER=${setting}: ${why}`)
  if (process.platform !== 'linux') throw refuse('steps can have a user of their own on Linux only')
  const missing = missingCapabilities()
  if (missing.length > 0) {
    throw refuse(`the service may not change users: start it as root, or give it ${missing.join(', ')}`)
  }
  const account = findAccount(setting)
  if (account === undefined) throw refuse('there is no such user in /etc/passwd; name it as uid:gid')
  if (account.uid === 0) throw refuse('steps must not run as root')
  if (account.uid === process.getuid?.()) {
    throw refuse('this is the user of the service itself, whose secrets it is to protect')
  }
  if (foreignFunctions() === undefined) {
    throw refuse(`needs Node 26 or newer, on x64 or arm64; this is ${process.versions.node}`)
  }
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(isExecutable)
  if (setpriv === undefined) throw refuse('setpriv is missing: install util-linux')
  return { ...account, setpriv }
}

function missingCapabilities(): string[] {
  const [, mask = '0'] = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? []
  const effective = BigInt(`0x${mask}`)
  return Object.entries(needed).flatMap(([name, bit]) => ((effective >> BigInt(bit)) & 1n ? [] : [name]))
}

function findAccount(setting: string): Omit<StepUser, 'setpriv'> | undefined {
  const [, uid, gid] = /^(\d+)(?::(\d+))?$/.exec(setting) ?? []
  const entries = fieldsOf('/etc/passwd')
  const entry = entries.find(([name, , id]) => (uid === undefined ? name === setting : id === uid))
  if (entry === undefined && gid === undefined) return undefined
  const [name = setting, , , , , home = ''] = entry ?? []
  const ownGid = Number(gid ?? entry?.[3])
  const others = fieldsOf('/etc/group')
    .filter(([, , , members = '']) => gid === undefined && members.split(',').includes(name))
    .map(([, , id]) => Number(id))
  return {
    name,
    uid: Number(uid ?? entry?.[2]),
    gid: ownGid,
    groups: [...new Set([ownGid, ...others])],
    home: home || '/',
  }
}

function fieldsOf(file: string): string[][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
  } catch {
    return []
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
