import { setImmediate } from 'node:timers/promises'
import { limits } from '#lib/core/limits.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { writtenSecrets } from '#lib/definition/masking/mask-definition.ts'
import { isSecretName, mask } from '#lib/definition/masking/secret-names.ts'
import type { SecretValues } from '#lib/definition/masking/secret-values.ts'
import type { StepRecord } from '#lib/runs/read/run-record.ts'

/** By step, then by variable. */
export type CapturedOutputs = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Outputs without the secrets that the definition holds, and without those that are called secrets themselves. */
export async function maskOutputs(
  captured: CapturedOutputs,
  definition: Definition,
): Promise<CapturedOutputs> {
  const secrets = writtenSecrets(definition).all()
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

/** The same for the beginnings of outputs that are in the details of steps; a secret may have been cut at the end. */
export function maskBeginnings(
  steps: ReadonlyMap<string, StepRecord>,
  definition: Definition,
): ReadonlyMap<string, StepRecord> {
  if ([...steps.values()].every(({ outputs }) => outputs === undefined)) return steps
  const secrets = writtenSecrets(definition)
  const shown = (outputs: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(outputs).map(([name, value]) => [name, beginning(name, value, secrets)]),
    )
  return new Map(
    [...steps].map(([name, { outputs, ...step }]) => [name, { ...step, outputs: outputs && shown(outputs) }]),
  )
}

function beginning(name: string, value: string, secrets: SecretValues): string {
  if (isSecretName(name)) return mask
  const shown = secrets.replace(value)
  if (value.length < limits.outputBeginningLengthMax) return shown
  const cut = Math.max(0, ...secrets.all().map((secret) => begunAtEnd(shown, secret)))
  return cut === 0 ? shown : shown.slice(0, -cut) + mask
}

/** How many characters of a secret a text ends with. */
function begunAtEnd(text: string, secret: string): number {
  for (let length = secret.length - 1; length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
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
