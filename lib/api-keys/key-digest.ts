import { createHash, randomBytes } from 'node:crypto'

const secretBytes = 32
const form = /^mr_[\w-]{43}$/
const prefixLength = 10

/** A key of 256 random bits. */
export function newKey(): string {
  return `mr_${randomBytes(secretBytes).toString('base64url')}`
}

/** Whether a text has the form of a key. */
export function isKey(text: string): boolean {
  return form.test(text)
}

/** The public prefix of a key, by which its owner can recognize it; '' for a text that is not a key. */
export function keyPrefix(text: string): string {
  return isKey(text) ? text.slice(0, prefixLength) : ''
}

/** The stored form of a key. SHA-256 is enough for 256 random bits. */
export function keyDigest(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest()
}
