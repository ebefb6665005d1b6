import { setImmediate } from 'node:timers/promises'
import type { Definition } from '#lib/definition/definition.ts'
import { writtenSecrets } from '#lib/definition/masking/mask-definition.ts'
import { isSecretName, mask } from '#lib/definition/masking/secret-names.ts'

/** By step, then by variable. */
export type CapturedOutputs = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Outputs without the secrets that the definition holds, and without those that are called secrets themselves. */
export async function maskOutputs(
  captured: CapturedOutputs,
  definition: Definition,
): Promise<CapturedOutputs> {
  // The longest first: a secret may be a part of another.
  const secrets = writtenSecrets(definition).toSorted((one, other) => other.length - one.length)
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
  let shown = text
  for (const secret of secrets) {
    // Texts may be large: others get their turn in between.
    await setImmediate()
    shown = shown.replaceAll(secret, () => mask)
  }
  return shown
}
