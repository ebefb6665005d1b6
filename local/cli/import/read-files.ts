import { limits } from '#lib/core/limits.ts'
import { FileError } from '#lib/files/file-error.ts'
import { readSmallFile } from '#lib/files/read-small-file.ts'
import { filesOf, nameOfFile } from '../dag-file.ts'
import type { Candidate } from './candidate.ts'

/** The DAG files of a folder, or one file. */
export async function fromFiles(path: string): Promise<Candidate[]> {
  const files = await filesOf(path)
  const byName = Map.groupBy(files, nameOfFile)
  return files.map((file) => {
    const name = nameOfFile(file)
    const others = (byName.get(name) ?? []).filter((other) => other !== file)
    if (others.length > 0) return { name, fault: `${file} and ${others.join(', ')} have the same name` }
    try {
      return { name, spec: readText(file, 'DAG file') }
    } catch (error) {
      if (error instanceof FileError) return { name, fault: error.message }
      throw error
    }
  })
}

/** @throws FileError, also when the file is larger than a DAG file may be */
export const readText = (file: string, what: string): string =>
  readSmallFile(file, { what, bytesMax: limits.specBytesMax }).toString('utf8')

/**
 * Reads standard input to its end.
 * @param what name of the input in errors
 * @throws Error when it is larger than a DAG file may be
 */
export async function readInput(what: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of process.stdin as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > limits.specBytesMax) throw new Error(`${what} is larger than ${limits.specBytesMax} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
