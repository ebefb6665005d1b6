import { chmodSync, chownSync, mkdirSync, opendirSync, readdirSync, statSync } from 'node:fs'
import { asStepUser, stepUser } from './step-identity.ts'

const ownerOnly = 0o700
/** Others may pass through to what belongs to them, but list nothing. */
const passable = 0o711

/** What the service keeps in its data folder. */
const inDataFolder = /^(postgres|postgres-binaries|postgres\.new-\w+|logs|work|work-made)$/
const inLogFolder = /^\d+$/

/**
 * Makes the data folder private, whatever the umask is. When PostgreSQL or steps have users of their own, these may
 * pass through it.
 */
export function makeDataFolder(folder: string): void {
  const isShared = process.getuid?.() === 0 || stepUser() !== undefined
  makePrivate(folder, inDataFolder, isShared ? passable : ownerOnly)
}

/** Makes the folder of log files private, if there is one. Steps with a user of their own cannot read it. */
export function makeLogFolderPrivate(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) makePrivate(folder, inLogFolder, ownerOnly)
}

/**
 * Makes the folder of working folders, which belongs to the user of steps.
 * @throws Error that says what to do when that user cannot use it
 */
export function makeWorkFolder(folder: string): void {
  const user = stepUser()
  if (user === undefined) return makePrivate(folder, /^[\w-]+$/, ownerOnly)
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { recursive: true })
  const { uid } = statSync(folder)
  const isOurs = uid === process.getuid?.()
  if (uid === 0 && isOurs && readdirSync(folder).length === 0) chownSync(folder, user.uid, user.gid)
  try {
    asStepUser(() => {
      if (statSync(folder).uid !== user.uid) throw new Error('it belongs to another user')
      chmodSync(folder, ownerOnly)
      readdirSync(folder)
    })
  } catch (cause) {
    throw new Error(
      `MILLRACE_STEP_USER=${user.name}: steps cannot work in ${folder}. Give it to their user (chown -R ` +
        `${user.uid}:${user.gid} ${folder}), and let it pass through the folders above (chmod o+x), or set ` +
        'MILLRACE_DATA_DIR to another folder',
      { cause },
    )
  }
}

/**
 * A folder that also holds other things, such as /tmp or a home, keeps its mode. One that cannot be made is
 * reported by whoever needs it.
 */
function makePrivate(folder: string, own: RegExp, mode: number): void {
  if (process.platform === 'win32') return
  try {
    tighten(folder, own, mode)
  } catch {
    // A read-only file system, or the folder of somebody else.
  }
}

function tighten(folder: string, own: RegExp, mode: number): void {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(folder, { recursive: true, mode })
    return chmodSync(folder, mode)
  }
  const before = statSync(folder)
  if (before.uid !== process.getuid?.() || (before.mode & 0o7777) === mode) return
  if (holdsOnly(folder, own)) chmodSync(folder, mode)
}

function holdsOnly(folder: string, own: RegExp): boolean {
  const open = opendirSync(folder)
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      if (!own.test(entry.name)) return false
    }
    return true
  } finally {
    open.closeSync()
  }
}
