import { createHash } from 'node:crypto'

/** Names a definition by its content: the text of the file and of the base configuration under it. */
export function definitionHash(spec: string, base: string | undefined): string {
  const hash = createHash('sha256').update(spec)
  if (base !== undefined) hash.update('\0').update(base)
  return hash.digest('hex')
}
