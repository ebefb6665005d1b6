import { closeSync, constants, createReadStream, fstatSync, realpathSync, type ReadStream } from 'node:fs'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import { asStepUser, openAsStepUser } from '#lib/privileges/step-identity.ts'

/** An open file; whoever does not read it to its end must destroy it. */
interface Attachment {
  readonly filename: string
  readonly content: ReadStream
}

/**
 * Opens the files to attach. They must be inside the working directory, also after links are resolved.
 * @throws Error that names the file
 */
export function openAttachments(paths: readonly string[], workingDir: string): Attachment[] {
  const opened: Attachment[] = []
  try {
    const folder = asStepUser(() => realpathSync(workingDir))
    for (const path of paths) opened.push(openOne(path, folder))
    return opened
  } catch (error) {
    for (const { content } of opened) content.destroy()
    throw error
  }
}

function openOne(given: string, folder: string): Attachment {
  const path = realPathOf(given, folder)
  const place = relative(folder, path)
  if (place === '..' || place.startsWith(`..${sep}`) || isAbsolute(place)) {
    throw new Error(`attachment ${given} lies outside the working directory of the step`)
  }
  const file = openAsStepUser(path, constants.O_RDONLY)
  if (!fstatSync(file).isFile()) {
    closeSync(file)
    throw new Error(`attachment ${given} is no file`)
  }
  return { filename: basename(given), content: createReadStream(path, { fd: file }) }
}

function realPathOf(given: string, folder: string): string {
  try {
    return asStepUser(() => realpathSync(resolve(folder, given)))
  } catch {
    throw new Error(`attachment ${given} does not exist`)
  }
}
