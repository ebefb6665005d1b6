/**
 * The identity of steps. Linux keeps identities per thread, so the main thread can briefly assume the file-system
 * identity of the step user (setfsuid(2)). The kernel then checks files that a DAG names as if a step opened them. The
 * real user remains that of the service, so a step can never signal it.
 */
import { homedir } from 'node:os'
import { foreignFunctions } from './foreign-functions.ts'
import type { StepUser } from './step-user.ts'

interface Identity {
  readonly user: StepUser
  readonly become: (who: 'step' | 'spawning step' | 'service') => void
}

/** Global, like the user of the process. */
let identity: Identity | undefined
let depth = 0

/**
 * Makes every step of this process run as this user.
 * @throws Error when this process may not change its identity
 */
export function useStepUser(user: StepUser | undefined): void {
  identity = user && makeIdentity(user)
}

/** The user that steps run as; undefined: the user of the service. */
export function stepUser(): StepUser | undefined {
  return identity?.user
}

/**
 * Runs `work` with the file-system rights of a step; files that it creates belong to the step user. Without a step
 * user, it just runs `work`.
 * @param work synchronous: anything deferred to the thread pool or a later turn has the rights of the service
 */
export function asStepUser<T>(work: () => T): T {
  return by('step', work)
}

/**
 * Starts a process with {@link stepUserPrefix} so that it enters its working directory with the rights of a step. The
 * group of the service stays in the list of groups: otherwise Linux drops the inherited capabilities on exec, which
 * setpriv needs.
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

/** HOME, USER and LOGNAME of the step user; none without one, because those of the service are right then. */
export function stepUserVariables(): Readonly<Record<string, string>> {
  if (identity === undefined) return {}
  const { name, home } = identity.user
  return { HOME: home, USER: name, LOGNAME: name }
}

/** A command prefix that drops all privileges and becomes the step user; empty without a step user. */
export function stepUserPrefix(): readonly string[] {
  return identity === undefined ? [] : prefixOf(identity.user)
}

function prefixOf({ setpriv, uid, gid, groups }: StepUser): readonly string[] {
  const user = [`--reuid=${uid}`, `--regid=${gid}`, `--groups=${groups.join(',')}`]
  return [setpriv, ...user, '--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs', '--']
}

/** System call numbers of setgroups(2), because the C library's function changes all threads. */
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
    // Both return the previous id, never an error. A call with an invalid id changes nothing, so it reads the current
    // id.
    if (refused || c.setfsuid(impossible) !== uid || c.setfsgid(impossible) !== gid) {
      throw new Error(`the file-system identity cannot be changed to ${uid}:${gid}`)
    }
  }
  // Some sandboxes forbid these calls. Failing at the start is better than failing every run.
  try {
    become('step')
  } finally {
    become('service')
  }
  return { user, become }
}

const impossible = 0xffff_ffff
