import { limits } from '#lib/core/limits.ts'
import type { SecretSource } from '#lib/definition/definition.ts'
import { isServiceSetting } from '#lib/definition/values/service-setting.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { readStepFile } from '#lib/files/read-step-file.ts'
import { pathFrom } from './expand-path.ts'

export interface SecretContext {
  /** The whole environment of the service. Its own settings are refused. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Base of relative file names. */
  readonly workingDir: string
  /** Folders in which files must lie. */
  readonly bounds: readonly FileBound[]
}

/**
 * Reads the secrets of a DAG. They are kept in memory and in the environment of its steps, never in the database, so
 * every owner of a run reads them.
 * @throws Error when a secret cannot be read; it contains the name, never the value
 */
export function readSecrets(sources: readonly SecretSource[], context: SecretContext): Map<string, string> {
  const secrets = new Map<string, string>()
  let length = 0
  for (const source of sources) {
    const value = readSecret(source, context)
    length += value.length
    if (length > limits.secretsLengthMax) {
      const fault = `the secrets of the DAG are larger than ${limits.secretsLengthMax} characters together`
      throw new Error(`secret ${source.name}: ${fault}`)
    }
    secrets.set(source.name, value)
  }
  return secrets
}

function readSecret(source: SecretSource, context: SecretContext): string {
  if (source.provider === 'env') {
    if (isServiceSetting(source.key)) {
      const why =
        'is a setting of the service, which no DAG may read; give the runner a variable of another name'
      throw new Error(`secret ${source.name}: ${source.key} ${why}`)
    }
    const value = context.environment[source.key]
    if (value === undefined)
      throw new Error(`secret ${source.name}: no variable ${source.key} on this runner`)
    return value
  }
  const path = pathFrom(context.workingDir, source.key)
  const text = readStepFile(path, { what: `secret ${source.name}`, bounds: context.bounds }).toString('utf8')
  return text.replace(/\r?\n$/, '')
}
