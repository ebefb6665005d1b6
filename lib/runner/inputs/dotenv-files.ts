import { statSync } from 'node:fs'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { FileError, refusal } from '#lib/files/file-error.ts'
import { readStepFile } from '#lib/files/read-step-file.ts'
import { asStepUser } from '#lib/privileges/step-identity.ts'
import { readDotenv } from './dotenv-text.ts'
import { pathFrom } from './expand-path.ts'

/**
 * Reads `.env` and the files that the DAG lists, in this order; later files override earlier ones, and missing files
 * and folders are skipped. The values are never stored: a new owner reads the files of its own machine.
 * @throws FileError when a file is larger than 1 MiB, is not regular, or is outside of the bounds
 */
export function readDotenvFiles(
  listed: readonly string[],
  workingDir: string,
  bounds: readonly FileBound[],
): Map<string, string> {
  const values = new Map<string, string>()
  for (const file of new Set(['.env', ...listed].map((name) => pathFrom(workingDir, name)))) {
    const text = readIfThere(file, bounds)
    if (text === undefined) continue
    for (const [name, value] of readDotenv(text)) values.set(name, value)
  }
  return values
}

function readIfThere(file: string, bounds: readonly FileBound[]): string | undefined {
  try {
    const found = asStepUser(() => statSync(file, { throwIfNoEntry: false }))
    // A folder called `.env` is a virtual environment of Python.
    if (found === undefined || found.isDirectory()) return undefined
    return readStepFile(file, { what: 'dotenv', bounds }).toString('utf8')
  } catch (error) {
    const failure = error instanceof FileError ? error : refusal('dotenv', file, error)
    if (failure.code === 'ENOENT' || failure.code === 'ENOTDIR') return undefined
    throw failure
  }
}
