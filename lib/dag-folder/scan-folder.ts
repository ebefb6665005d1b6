import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { messageOf } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'

/** A file found in the folder; its contents are not read. */
export interface ScannedFile {
  /** Relative to the folder. */
  readonly path: string
  /** Differs whenever the file may have changed. */
  readonly mark: string
}

export interface Scan {
  readonly files: readonly ScannedFile[]
  /** Folders that could not be read completely, with the reason. Their files count as unchanged. */
  readonly unread: ReadonlyMap<string, string>
}

/**
 * Lists the YAML files of a folder and its subfolders. Hidden names are left out, and folders that are links
 * are not entered. Looks at files without opening them, so nothing here waits for another process.
 * @throws Error when the folder itself cannot be read
 */
export async function scanFolder(folder: string): Promise<Scan> {
  const files: ScannedFile[] = []
  const unread = new Map<string, string>()
  const pending = [{ path: '', depth: 0 }]
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const { path, depth } = next
    const entries = await entriesOf(join(folder, path)).catch((error: unknown) => {
      if (depth === 0) throw error
      unread.set(path, messageOf(error))
      return []
    })
    for (const entry of entries) {
      const own = join(path, entry.name)
      if (entry.isDirectory()) {
        if (depth < limits.dagFolderDepthMax) pending.push({ path: own, depth: depth + 1 })
        else unread.set(own, `it is more than ${limits.dagFolderDepthMax} folders deep`)
      } else if (isYaml(entry.name)) {
        if (files.length === limits.dagFilesMax) {
          unread.set('', `there are more than ${limits.dagFilesMax} DAG files`)
          return { files, unread }
        }
        files.push({ path: own, mark: await markOf(join(folder, own)) })
      }
    }
  }
  return { files, unread }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter(({ name }) => !name.startsWith('.')).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const isYaml = (name: string): boolean => ['.yaml', '.yml'].includes(extname(name))

async function markOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(file)
    return [ino, size, mtimeMs, ctimeMs].join()
  } catch (error) {
    return messageOf(error)
  }
}
