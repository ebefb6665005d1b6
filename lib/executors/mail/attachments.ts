import { createReadStream, realpathSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { openRegularFile } from '#lib/files/open-regular-file.ts'
import { asStepUser } from '#lib/privileges/step-identity.ts'

export interface Attachment {
  readonly filename: string
  readonly content: Readable
}

/**
 * Opens the files to attach. They must be inside the working directory, also after links are resolved.
 * @throws FileError that names the file
 */
export function openAttachments(
  paths: readonly string[],
  workingDir: string,
  bounds: readonly FileBound[] = [],
): Attachment[] {
  const folder = asStepUser(() => realpathSync(workingDir))
  const inside = { folders: [folder], fault: 'is outside of the working directory of the step' }
  const opened: Attachment[] = []
  try {
    for (const path of paths) {
      const opening = { what: 'attachments', access: 'read', bounds: [inside, ...bounds] } as const
      const file = asStepUser(() => openRegularFile(resolve(folder, path), opening))
      opened.push({ filename: basename(path), content: createReadStream('', { fd: file }) })
    }
    return opened
  } catch (error) {
    closeAttachments(opened)
    throw error
  }
}

/** Closes what was opened, whether it was sent or not. */
export function closeAttachments(attachments: readonly Attachment[]): void {
  for (const { content } of attachments) content.destroy()
}
