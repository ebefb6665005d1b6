import { createHash, createHmac, randomBytes } from 'node:crypto'

const pattern = /^[\w-]{43}$/

/** A token of 256 random bits. The browser gets it; only its digest is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Whether a text has the form of a token. */
export const isToken = (text: string): boolean => pattern.test(text)

/** The stored form of a token. SHA-256 is enough for 256 random bits. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Binds a session to its credential. The token is the key and is not stored, so a stolen table does not help to guess
 * passwords.
 */
export const sealOf = (token: string, credential: string): Buffer =>
  createHmac('sha256', token).update(credential).digest()
