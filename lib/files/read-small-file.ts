import { closeSync, fstatSync, readSync } from 'node:fs'
import { refusal } from './file-error.ts'
import { openRegularFile, type Opening } from './open-regular-file.ts'

const bytesMaxDefault = 1_048_576

/**
 * Reads a small file that a user may have named. Synchronous, so that a file system that never responds cannot occupy
 * the threads of the pool.
 * @param options.bytesMax default 1 MiB
 * @throws FileError, also when the file is larger
 */
export function readSmallFile(
  path: string,
  { bytesMax = bytesMaxDefault, ...opening }: Omit<Opening, 'access'> & { readonly bytesMax?: number },
): Buffer {
  const file = openRegularFile(path, { ...opening, access: 'read' })
  try {
    const room = Buffer.alloc(Math.min(fstatSync(file).size, bytesMax) + 1)
    let size = 0
    // The file may grow during the read, so only the bytes read count.
    for (let count = -1; count !== 0 && size < room.length; size += count) {
      count = readSync(file, room, size, room.length - size, null)
    }
    if (size > bytesMax) throw refusal(opening.what, path, `is larger than ${bytesMax} bytes`)
    return room.subarray(0, size)
  } finally {
    closeSync(file)
  }
}
