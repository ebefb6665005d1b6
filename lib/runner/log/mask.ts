import { maskBytes } from '#lib/logs/mask-bytes.ts'

/** Replaces secrets in a text, as {@link maskBytes} does in a log. */
export function masked(text: string, secrets: readonly string[]): string {
  const mask = maskBytes(secrets)
  return Buffer.concat([mask.push(Buffer.from(text)), mask.end()]).toString('utf8')
}
