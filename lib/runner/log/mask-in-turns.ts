import { setImmediate } from 'node:timers/promises'
import { maskBytes } from './mask-bytes.ts'

/** Bytes between two yields to the event loop: up to 20 ms of work. */
const yieldEveryBytes = 131_072

/**
 * Replaces secrets in a text of any size, as {@link maskBytes} does in a log, and yields to the event loop meanwhile.
 */
export async function maskInTurns(text: string, secrets: readonly string[]): Promise<string> {
  if (secrets.length === 0 || text === '') return text
  const mask = maskBytes(secrets)
  const bytes = Buffer.from(text)
  const shown: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += yieldEveryBytes) {
    if (at > 0) await setImmediate()
    shown.push(mask.push(bytes.subarray(at, at + yieldEveryBytes)))
  }
  return Buffer.concat([...shown, mask.end()]).toString('utf8')
}
