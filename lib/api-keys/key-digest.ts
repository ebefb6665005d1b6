import { createHash } from 'node:crypto'

/** The stored form of a key. SHA-256 is enough for 256 random bits. */
export function keyDigest(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest()
}
