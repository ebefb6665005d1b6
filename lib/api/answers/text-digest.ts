import { hash } from 'node:crypto'

/** Identifies a text in entity tags and cursors: 132 bits of SHA-256 in 22 characters. */
export const textDigest = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22)
