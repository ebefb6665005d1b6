import { messageOf } from '#lib/core/errors.ts'
import { maskBytes } from './mask-bytes.ts'

/** Replaces secrets in a text, as {@link maskBytes} does in a log. */
export function masked(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0 || text === '') return text
  const mask = maskBytes(secrets)
  return Buffer.concat([mask.push(Buffer.from(text)), mask.end()]).toString('utf8')
}

/**
 * Masks an error for the service log. If there are secrets, only the message is kept: stack and causes may repeat them.
 */
export function maskedError(error: unknown, secrets: readonly string[]): unknown {
  return secrets.length === 0 ? error : new Error(masked(messageOf(error), secrets))
}
