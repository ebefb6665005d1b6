import { limits } from '#lib/core/limits.ts'
import type { SecretSource } from '#lib/definition/definition.ts'
import { isServiceSetting } from '#lib/definition/values/service-setting.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { readStepFile } from '#lib/files/read-step-file.ts'
import { pathFrom } from './expand-path.ts'

export interface SecretPlaces {
  /** The whole environment of the service. Its own settings are refused. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Base of relative file names. */
  readonly workingDir: string
  /** Where files must be. */
  readonly bounds: readonly FileBound[]
}

/**
 * Reads the secrets of a DAG. They exist in memory and in the environment of its steps, never in the database; every
 * new owner of a run reads them again.
 * @throws Error that names the secret, never its value, when it cannot be read
 */
export function readSecrets(sources: readonly SecretSource[], places: SecretPlaces): Map<string, string> {
  const secrets = new Map<string, string>()
  let length = 0
  for (const source of sources) {
    const value = readSecret(source, places)
    length += value.length
    if (length > limits.secretsLengthMax) {
      const most = limits.secretsLengthMax
      throw new Error(
        `secret ${source.name}: the secrets of the DAG are larger than ${most} characters together`,
      )
    }
    secrets.set(source.name, value)
  }
  return secrets
}

function readSecret(source: SecretSource, places: SecretPlaces): string {
  if (source.provider === 'env') {
    if (isServiceSetting(source.key)) {
      const why =
        'is a setting of the service, which no DAG may read; give the runner a variable of another name'
      throw new Error(`secret ${source.name}: ${source.key} ${why}`)
    }
    const value = places.environment[source.key]
    if (value === undefined)
      throw new Error(`secret ${source.name}: no variable ${source.key} on this runner`)
    return value
  }
  const path = pathFrom(places.workingDir, source.key)
  const text = readStepFile(path, { what: `secret ${source.name}`, bounds: places.bounds }).toString('utf8')
  return text.replace(/\r?\n$/, '')
}
