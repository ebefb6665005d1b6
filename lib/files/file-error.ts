/** A file that cannot be used. Its message names the use, the file and the reason. */
export class FileError extends Error {
  /** System error code, such as `ENOENT`; undefined when the file itself was rejected. */
  readonly code: string | undefined

  constructor(message: string, code: string | undefined, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is below something that is not a folder',
  EACCES: 'may not be opened by this user',
  ELOOP: 'is a link that leads to itself',
  ENAMETOOLONG: 'has a name that is too long',
  ENOSPC: 'cannot be written, the disk is full',
}
const shownMax = 200

/** @param why the rest of the sentence after the path, or a system error */
export function refusal(what: string, path: string, why: unknown): FileError {
  const named = path.length > shownMax ? `${path.slice(0, shownMax)}…` : path
  const shown = named.replaceAll('\0', '\\0')
  if (typeof why === 'string') return new FileError(`${what}: ${shown} ${why}`, undefined, undefined)
  const { code = 'EIO' } = why as NodeJS.ErrnoException
  return new FileError(`${what}: ${shown} ${reasons[code] ?? `cannot be used (${code})`}`, code, why)
}
