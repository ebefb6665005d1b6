import { resolve } from 'node:path'
import { messageOf } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { SecretSource } from '#lib/definition/definition.ts'
import { isServiceSetting } from './clean-environment.ts'
import { readSmallFile } from './read-small-file.ts'

export interface SecretPlaces {
  /** The whole environment of the service. Its own settings are refused. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Base of relative file names. */
  readonly workingDir: string
}

/**
 * Reads the secrets of a DAG. They exist in memory and in the environment of its steps, never in the database; every
 * new owner of a run reads them again.
 * @throws Error that names the secret, never its value, when it cannot be read
 */
export async function readSecrets(
  sources: readonly SecretSource[],
  places: SecretPlaces,
): Promise<Map<string, string>> {
  const secrets = new Map<string, string>()
  let length = 0
  for (const source of sources) {
    const value = await readSecret(source, places)
    secrets.set(source.name, value)
    length += value.length
    if (length > limits.secretsLengthMax) {
      throw new Error(
        `secret ${source.name}: the secrets of a DAG have at most ${limits.secretsLengthMax} characters`,
      )
    }
  }
  return secrets
}

async function readSecret(source: SecretSource, places: SecretPlaces): Promise<string> {
  if (source.provider === 'env') {
    const value = isServiceSetting(source.key) ? undefined : places.environment[source.key]
    if (value === undefined)
      throw new Error(`secret ${source.name}: no variable ${source.key} on this runner`)
    return value
  }
  try {
    const text = await readSmallFile(resolve(places.workingDir, source.key))
    return text.replace(/\r?\n$/, '')
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? messageOf(error)
    throw new Error(`secret ${source.name}: cannot read ${source.key} (${why})`, { cause: error })
  }
}
