import { renameSync } from 'node:fs'
import { FileError } from '#lib/files/file-error.ts'
import { openRegularFile } from '#lib/files/open-regular-file.ts'

/** @returns undefined when there is no such log: no file, or something that a step put in its place */
export function openLogToRead(path: string): number | undefined {
  try {
    return openRegularFile(path, { what: 'log', access: 'read', followsLinks: false })
  } catch (error) {
    const isMissing = error instanceof FileError && (error.code === undefined || error.code === 'ENOENT')
    if (isMissing) return undefined
    throw error
  }
}

/**
 * Steps know the files of their logs, and may put a link, a FIFO or a folder there. That is renamed, so that the log
 * continues in a file of its own.
 * @throws FileError
 */
export function openLogToAppend(path: string): number {
  const open = (): number =>
    openRegularFile(path, { what: 'log', access: 'append', mode: 0o600, followsLinks: false })
  try {
    return open()
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== undefined) throw error
    renameSync(path, `${path}.replaced-${Date.now()}`)
    return open()
  }
}
