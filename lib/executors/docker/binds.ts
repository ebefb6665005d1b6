import { realpathSync } from 'node:fs'
import { posix } from 'node:path'
import { inHome } from '#lib/definition/values/home.ts'
import type { StepContext } from '../executor.ts'

export type BindFolders = Pick<StepContext, 'workingDir' | 'env'>

/** Matches a folder of this machine before the first colon; a bare name is a volume. */
const folderForm = /^(?:[./~]|[A-Za-z]:[\\/])/

export function isFolder(source: string): boolean {
  return folderForm.test(source)
}

/** The source folder of a bind; undefined for a volume. */
export function bindSource(bind: string): string | undefined {
  if (!isFolder(bind)) return undefined
  const from = /^[A-Za-z]:[\\/]/.test(bind) ? 2 : 0
  const colon = bind.indexOf(':', from)
  return colon < 0 ? bind : bind.slice(0, colon)
}

/** Makes the source of a bind absolute, as the engine requires: `./` is the step's working directory, `~/` its home. */
export function absoluteBind(bind: string, address: BindFolders): string {
  const source = bindSource(bind)
  if (source === undefined) return bind
  return absoluteFolder(source, address) + bind.slice(source.length)
}

export function absoluteFolder(source: string, { workingDir, env }: BindFolders): string {
  if (source.startsWith('.')) return posix.resolve(workingDir, source)
  const path = inHome(source, env['HOME'] ?? '/')
  return path === source ? source : posix.normalize(path)
}

/** No system opens a longer path. */
const pathLengthMax = 4_096

/**
 * Resolves symbolic links as far as the path exists.
 * @param isHere whether it is a path of this machine
 */
export function realPath(path: string, isHere: boolean): string {
  const normal = posix.normalize(path.replaceAll('\\', '/'))
  const plain = normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
  if (!isHere || plain.length > pathLengthMax) return plain
  try {
    return realpathSync(plain)
  } catch {
    const parent = posix.dirname(plain)
    return parent === plain ? plain : posix.join(realPath(parent, isHere), posix.basename(plain))
  }
}

/** Whether the path is the root folder. */
export function isRoot(path: string): boolean {
  return path === '/' || /^\/?[A-Za-z]:\/?$/.test(path)
}
