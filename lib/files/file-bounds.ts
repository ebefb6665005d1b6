import { realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { FileError, refusal } from './file-error.ts'

/** A file must be in one of these folders. */
export interface FileBound {
  readonly folders: readonly string[]
  /** Follows the path in an error: `is outside of …`. */
  readonly fault: string
}

/**
 * @param real the path with all links resolved
 * @param given the path as the user wrote it, for the error
 * @throws FileError when `real` is outside a bound
 */
export function checkBounds(
  real: string,
  given: string,
  what: string,
  bounds: readonly FileBound[] = [],
): void {
  for (const { folders, fault } of bounds) {
    if (!folders.some((folder) => isWithin(real, realPathOf(folder)))) throw refusal(what, given, fault)
  }
}

/** The path with all links resolved; the last parts need not exist. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    return join(realPathOf(dirname(path)), basename(path))
  }
}

/**
 * Checks a file or folder that may not exist yet; see {@link checkBounds}.
 * @throws FileError
 */
export function checkPath(path: string, what: string, bounds: readonly FileBound[] = []): void {
  if (bounds.length === 0) return
  if (path.includes('\0')) throw refusal(what, path, 'has a NUL in its name')
  try {
    checkBounds(realPathOf(path), path, what, bounds)
  } catch (error) {
    throw error instanceof FileError ? error : refusal(what, path, error)
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}
