import { createHash, createHmac, randomBytes } from 'node:crypto'

const form = /^[\w-]{43}$/

/** A token of 256 random bits. The browser gets it; only its digest is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Whether a text has the form of a token. */
export const isToken = (text: string): boolean => form.test(text)

/** The stored form of a token. SHA-256 is enough for 256 random bits. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Binds a session to the credential that it began with. Without the token, which is not stored, nobody can guess a
 * password by it.
 */
export const sealOf = (token: string, credential: string): Buffer =>
  createHmac('sha256', token).update(credential).digest()
