/**
 * The identity of steps. Linux keeps identities for each thread, so the main thread takes on the file-system
 * identity of the step user for a moment (setfsuid(2)), and the kernel checks what a DAG names as if a step opened
 * it. Its real user stays that of the service: a step can never send it a signal.
 */
import { homedir } from 'node:os'
import { foreignFunctions } from './foreign-functions.ts'
import type { StepUser } from './step-user.ts'

interface Identity {
  readonly user: StepUser
  readonly become: (who: 'step' | 'spawning step' | 'service') => void
}

/** One for the process, as its own user is. */
let identity: Identity | undefined
let depth = 0

/**
 * Lets every step of this process run as a user.
 * @throws Error when this process may not change its identity
 */
export function useStepUser(user: StepUser | undefined): void {
  identity = user && makeIdentity(user)
}

/** The user of steps; undefined: that of the service. */
export function stepUser(): StepUser | undefined {
  return identity?.user
}

/**
 * Does something with files by the rights of a step, and what it creates belongs to the step user. Without a step
 * user, simply does it.
 * @param work synchronous: whatever it leaves to the thread pool or to a later turn has the rights of the service
 */
export function asStepUser<T>(work: () => T): T {
  return by('step', work)
}

/**
 * Starts a process with {@link stepUserPrefix} so that it changes to its working directory by the rights of a step.
 * The group of the service stays among the groups meanwhile: Linux takes inherited capabilities from a process that
 * executes a program while its group is not among them, and setpriv needs them.
 * @param work synchronous
 */
export function startAsStepUser<T>(work: () => T): T {
  return by('spawning step', work)
}

function by<T>(who: 'step' | 'spawning step', work: () => T): T {
  if (identity === undefined || depth > 0) return work()
  const { become } = identity
  depth++
  try {
    become(who)
    return work()
  } finally {
    depth--
    become('service')
  }
}

/** The home directory of steps. */
export function stepHome(): string {
  return identity?.user.home ?? homedir()
}

/** Variables that identify the user of a step; none without a step user, because the service's own are right then. */
export function stepUserVariables(): Readonly<Record<string, string>> {
  if (identity === undefined) return {}
  const { name, home } = identity.user
  return { HOME: home, USER: name, LOGNAME: name }
}

/** What to put before a command so that it runs as the step user without any privilege; empty without a step user. */
export function stepUserPrefix(): readonly string[] {
  return identity === undefined ? [] : prefixOf(identity.user)
}

function prefixOf({ setpriv, uid, gid, groups }: StepUser): readonly string[] {
  const user = [`--reuid=${uid}`, `--regid=${gid}`, `--groups=${groups.join(',')}`]
  return [setpriv, ...user, '--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs', '--']
}

/** Numbers of setgroups(2). The function of the C library would change all threads. */
const setgroupsNumber = { x64: 116n, arm64: 159n } as const

function makeIdentity(user: StepUser): Identity {
  const library = foreignFunctions()
  if (library === undefined) throw new Error('the identity of steps needs node:ffi')
  const c = library.dlopen(null, {
    setfsuid: { arguments: ['uint32'], return: 'int32' },
    setfsgid: { arguments: ['uint32'], return: 'int32' },
    syscall: { arguments: ['int64', 'int64', 'pointer'], return: 'int64' },
  }).functions
  const setgroups = setgroupsNumber[process.arch as keyof typeof setgroupsNumber]
  const { uid, gid } = user
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const identities = {
    service: { ...own, groups: Uint32Array.from(process.getgroups?.() ?? []) },
    step: { uid, gid, groups: Uint32Array.from(user.groups) },
    'spawning step': { uid, gid, groups: Uint32Array.from([...user.groups, own.gid]) },
  }
  const become: Identity['become'] = (who) => {
    const { uid, gid, groups } = identities[who]
    const refused = c.syscall(setgroups, BigInt(groups.length), groups) !== 0n
    c.setfsgid(gid)
    c.setfsuid(uid)
    // They answer the identity before the call, never an error; a call with an impossible id changes nothing.
    if (refused || c.setfsuid(impossible) !== uid || c.setfsgid(impossible) !== gid) {
      throw new Error(`the file-system identity cannot be changed to ${uid}:${gid}`)
    }
  }
  // Some sandboxes have no such call: better no start than no run.
  try {
    become('step')
  } finally {
    become('service')
  }
  return { user, become }
}

const impossible = 0xffff_ffff
