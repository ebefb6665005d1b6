import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statfsSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { checkBounds, type FileBound } from './file-bounds.ts'
import { FileError, refusal } from './file-error.ts'
import { isOfKernel } from './kernel-files.ts'

export interface Opening {
  /** What the file is for; errors begin with it: `stdout`, `secret TOKEN`. */
  readonly what: string
  /** `append` and `write` create a missing file; `write` empties an existing one. */
  readonly access: 'read' | 'append' | 'write'
  /** Permissions of a new file, to which the umask applies; default 0666. */
  readonly mode?: number
  /** Where the file must be after resolving links. Default: anywhere. */
  readonly bounds?: readonly FileBound[]
  /** False: links are refused, whatever their target. Default: true. */
  readonly followsLinks?: boolean
}

/** The limit of the kernel. */
const linksMax = 40
/** O_PATH, which Node does not export. The same on x64 and arm64. */
const pathOnly = 0o10000000
/** A folder opened by descriptor cannot be replaced between check and open. */
const byDescriptor = process.platform === 'linux'

const { O_APPEND, O_CREAT, O_DIRECTORY, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } =
  constants
const accessFlags = {
  read: O_RDONLY,
  append: O_WRONLY | O_APPEND | O_CREAT,
  write: O_WRONLY | O_CREAT | O_TRUNC,
} as const
/** Never block on another process, acquire a controlling terminal, or follow a link that was created just now. */
const safely = O_NONBLOCK | O_NOCTTY | O_NOFOLLOW

/**
 * Opens a file that a user may have named or replaced, without ever blocking on another process. Synchronous, so that
 * callers can switch the identity of the thread around the call. FIFOs, devices, sockets, folders and kernel files
 * (`/proc`, `/sys`) are refused before they are opened.
 * @returns a descriptor of a regular file, which the caller closes
 * @throws FileError that names the use, the file and the reason
 */
export function openRegularFile(path: string, opening: Opening): number {
  if (path.includes('\0')) throw refusal(opening.what, path, 'has a NUL in its name')
  try {
    return follow(path, opening)
  } catch (error) {
    throw error instanceof FileError ? error : refusal(opening.what, path, error)
  }
}

/** Resolves links one by one, so that the final folder is known before the file in it is opened. */
function follow(given: string, opening: Opening): number {
  let path = given
  for (let links = 0; links <= linksMax; links++) {
    const folder = openFolder(dirname(path))
    try {
      const target = linkTarget(folder, basename(path))
      if (target === undefined) return openWithin(folder, basename(path), given, opening)
      if (opening.followsLinks === false) throw refusal(opening.what, given, 'is a link')
      path = resolve(folder.real, target)
    } finally {
      folder.close()
    }
  }
  throw refusal(opening.what, given, 'is a link that leads to itself')
}

interface Folder {
  /** A path that refers to the same folder until `close`, even if it is renamed or replaced. */
  readonly name: string
  readonly real: string
  readonly close: () => void
}

function openFolder(path: string): Folder {
  if (!byDescriptor) {
    const real = realpathSync(path)
    return { name: real, real, close: () => undefined }
  }
  const descriptor = openSync(path, pathOnly | O_DIRECTORY)
  const name = `/proc/self/fd/${descriptor}`
  return { name, real: readlinkSync(name), close: () => closeSync(descriptor) }
}

function linkTarget(folder: Folder, base: string): string | undefined {
  const path = join(folder.name, base)
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
    ? readlinkSync(path)
    : undefined
}

function openWithin(folder: Folder, base: string, given: string, opening: Opening): number {
  const { what, access, mode = 0o666, bounds = [] } = opening
  checkBounds(join(folder.real, base), given, what, bounds)
  if (isOfKernel(statfsSync(folder.name).type)) throw refusal(what, given, 'is a kernel file')
  const path = join(folder.name, base)
  const before = lstatSync(path, { throwIfNoEntry: false })
  if (before !== undefined) refuseOthers(before, given, what)
  const descriptor = openSync(path, accessFlags[access] | safely, mode)
  try {
    refuseOthers(fstatSync(descriptor), given, what)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function refuseOthers(stats: Stats, path: string, what: string): void {
  if (!stats.isFile()) throw refusal(what, path, `is ${kindOf(stats)}`)
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a FIFO'
  if (stats.isDirectory()) return 'a folder'
  if (stats.isSocket()) return 'a socket'
  return stats.isSymbolicLink() ? 'a link' : 'a device'
}
