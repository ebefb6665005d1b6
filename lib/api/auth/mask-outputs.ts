import type { Definition } from '#lib/definition/definition.ts'
import { writtenSecrets } from '#lib/definition/masking/mask-definition.ts'
import { isSecretName, mask } from '#lib/definition/masking/secret-names.ts'
import { maskInTurns } from '#lib/runner/log/mask-in-turns.ts'

/** By step, then by variable. */
export type CapturedOutputs = ReadonlyMap<string, Readonly<Record<string, string>>>

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
      own[name] = isSecretName(name) ? mask : await maskInTurns(value, secrets)
    }
    shown.set(step, own)
  }
  return shown
}
