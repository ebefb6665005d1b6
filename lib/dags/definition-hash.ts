import { createHash } from 'node:crypto'

/** Content hash that identifies a definition: the text of the file and of its base configuration. */
export function definitionHash(spec: string, base: string | undefined): string {
  const hash = createHash('sha256').update(spec)
  if (base !== undefined) hash.update('\0').update(base)
  return hash.digest('hex')
}
