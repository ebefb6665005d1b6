import { messageOf } from '#lib/core/errors.ts'
import { maskBytes } from './mask-bytes.ts'

/** Replaces secrets in a text, as {@link maskBytes} does in a log. */
export function masked(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0 || text === '') return text
  const mask = maskBytes(secrets)
  return Buffer.concat([mask.push(Buffer.from(text)), mask.end()]).toString('utf8')
}

/** An error for the service log. With secrets, it keeps only its message, since its stack and causes repeat texts. */
export function maskedError(error: unknown, secrets: readonly string[]): unknown {
  return secrets.length === 0 ? error : new Error(masked(messageOf(error), secrets))
}
