import { basename, extname } from 'node:path'
import { fileNamePattern, reservedFileNames } from '#lib/core/ids.ts'
import { limits } from '#lib/core/limits.ts'
import type { ScannedFile } from './scan-folder.ts'

/** A file with the name of its DAG, or the reason why it is none. */
export interface NamedFile extends ScannedFile {
  /** Undefined: the file name is not valid for a DAG. */
  readonly fileName: string | undefined
  readonly fault: string | undefined
}

/** Names each DAG after its file, without extension and subfolder. */
export function nameFiles(files: readonly ScannedFile[]): NamedFile[] {
  const named = files.map((file) => ({ ...file, fileName: basename(file.path, extname(file.path)) }))
  const byName = Map.groupBy(named, ({ fileName }) => fileName)
  return named.map(({ fileName, ...file }) => {
    const fault = faultOfName(fileName)
    if (fault !== undefined) return { ...file, fileName: undefined, fault }
    const others = (byName.get(fileName) ?? []).filter(({ path }) => path !== file.path)
    if (others.length === 0) return { ...file, fileName, fault: undefined }
    const paths = others.map(({ path }) => path).join(', ')
    return {
      ...file,
      fileName,
      fault: `has the same name as ${paths}: names must be unique across subfolders`,
    }
  })
}

function faultOfName(fileName: string): string | undefined {
  if (!fileNamePattern.test(fileName)) return 'the name of a DAG file is made of a-z, 0-9, - and _'
  if (fileName.length > limits.dagNameLengthMax)
    return `the name of a DAG file has at most ${limits.dagNameLengthMax} characters`
  if (!reservedFileNames.includes(fileName)) return undefined
  return `the name of a DAG file must not be ${reservedFileNames.join(', ')}: these are words of the API`
}
