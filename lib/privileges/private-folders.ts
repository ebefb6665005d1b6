import { chmodSync, chownSync, mkdirSync, opendirSync, readdirSync, statSync } from 'node:fs'
import { asStepUser, stepUser } from './step-identity.ts'

const ownerOnly = 0o700
/** Other users may enter their own subfolders, but list nothing. */
const passable = 0o711

/** Entries that the service creates in its data folder. */
const inDataFolder = /^(postgres|postgres-binaries|postgres\.new-\w+|logs|work|work-made)$/
const inLogFolder = /^\d+$/

/**
 * Creates the data folder, and makes it private regardless of the umask. If PostgreSQL or steps run as other users,
 * these may pass through it.
 */
export function makeDataFolder(folder: string): void {
  const isShared = process.getuid?.() === 0 || stepUser() !== undefined
  makePrivate(folder, inDataFolder, isShared ? passable : ownerOnly)
}

/** Makes the folder of log files private, if it exists. Steps that run as another user cannot read it. */
export function makeLogFolderPrivate(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) makePrivate(folder, inLogFolder, ownerOnly)
}

/**
 * Creates the parent of the working folders, which belongs to the step user.
 * @throws Error with instructions, when the step user cannot use it
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
 * A folder with other entries, such as /tmp or a home directory, keeps its mode. If the folder cannot be created, the
 * code that uses it reports that.
 */
function makePrivate(folder: string, own: RegExp, mode: number): void {
  if (process.platform === 'win32') return
  try {
    tighten(folder, own, mode)
  } catch {
    // A read-only file system, or a folder of another user.
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
