import { setImmediate } from 'node:timers/promises'
import type { Definition } from '#lib/definition/definition.ts'
import { writtenSecrets } from '#lib/definition/masking/mask-definition.ts'
import { isSecretName, mask } from '#lib/definition/masking/secret-names.ts'
import { maskBytes } from '#lib/logs/mask-bytes.ts'

/** By step, then by variable. */
export type CapturedOutputs = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Bytes after which others get their turn: some milliseconds of work. */
const pieceBytes = 131_072

/** Outputs without the secrets that the definition holds, and without those that are called secrets themselves. */
export async function maskOutputs(
  captured: CapturedOutputs,
  definition: Definition,
): Promise<CapturedOutputs> {
  const secrets = writtenSecrets(definition)
  const shown = new Map<string, Record<string, string>>()
  for (const [step, outputs] of captured) {
    const own: Record<string, string> = {}
    for (const [name, value] of Object.entries(outputs)) {
      own[name] = isSecretName(name) ? mask : await masked(value, secrets)
    }
    shown.set(step, own)
  }
  return shown
}

async function masked(text: string, secrets: readonly string[]): Promise<string> {
  if (secrets.length === 0) return text
  const stream = maskBytes(secrets)
  const bytes = Buffer.from(text)
  const shown: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    shown.push(stream.push(bytes.subarray(at, at + pieceBytes)))
    await setImmediate()
  }
  return Buffer.concat([...shown, stream.end()]).toString('utf8')
}
