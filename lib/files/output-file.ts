import { close, fstatSync, write } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '#lib/core/errors.ts'
import { asStepUser } from '#lib/privileges/step-identity.ts'
import { checkPath } from './file-bounds.ts'
import { FileError, refusal } from './file-error.ts'
import { makeFolder } from './make-folder.ts'
import { openRegularFile, type Opening } from './open-regular-file.ts'
import { DeviceTurns } from './device-turns.ts'

/** A file that a DAG names, to which output is appended. */
export interface OutputFile {
  /** Resolves when the bytes are written. Calls are executed in order. @throws FileError */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Resolves after the last write. @throws FileError of the first failed write */
  readonly close: () => Promise<void>
}

const turns = new DeviceTurns()
const [writeLater, closeLater] = [promisify(write), promisify(close)]

/**
 * Opens a file that a DAG names, with the rights of a step, and creates its folder.
 * @throws FileError
 */
export function openOutputFile(path: string, opening: Omit<Opening, 'access'>): OutputFile {
  const { what } = opening
  const file = asStepUser(() => openToAppend(path, opening))
  const device = fstatSync(file).dev
  const append = async (bytes: Uint8Array): Promise<void> => {
    for (let done = 0; done < bytes.length;) {
      done += await turns.run(device, async () => (await writeLater(file, bytes, done)).bytesWritten)
    }
  }
  let last: Promise<void> = Promise.resolve()
  const inOrder = (act: () => Promise<void>): Promise<void> => {
    last = last.then(act).catch((error: unknown) => {
      if (error instanceof FileError) throw error
      throw refusal(what, path, hasCode(error) ? error : `cannot be written: ${messageOf(error)}`)
    })
    last.catch(() => undefined)
    return last
  }
  return {
    write: (bytes) => inOrder(() => append(Uint8Array.from(bytes))),
    close: async () => {
      try {
        await last
      } finally {
        await turns.run(device, () => closeLater(file))
      }
    },
  }
}

function openToAppend(path: string, opening: Omit<Opening, 'access'>): number {
  const { what, bounds } = opening
  checkPath(path, what, bounds)
  try {
    makeFolder(dirname(path))
  } catch (error) {
    throw refusal(what, path, error)
  }
  return openRegularFile(path, { ...opening, access: 'append' })
}

function hasCode(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).code === 'string'
}
