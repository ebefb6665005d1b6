import { FileError } from '#lib/files/file-error.ts'
import { readStepFile } from '#lib/files/read-step-file.ts'
import { pathOf } from './path-of.ts'

/**
 * Reads a file of the machine, which the deployment chose and not the DAG.
 * @param what names it in errors
 * @returns nothing when it cannot be read
 */
export function readUsualFile(path: string, what: string): string {
  try {
    return readStepFile(pathOf(path, '/'), { what }).toString('utf8')
  } catch (error) {
    if (error instanceof FileError) return ''
    throw error
  }
}
