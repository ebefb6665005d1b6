import type { Definition } from '#lib/definition/definition.ts'
import { fitParams } from '#lib/definition/params/fit-params.ts'
import { positionalValues } from '#lib/definition/params/merge-params.ts'
import { paramVisibility, splitParams } from '#lib/definition/params/visible-params.ts'
import { foreignParams } from '#lib/definition/params/foreign-params.ts'
import { expandInOrder } from '#lib/definition/values/expand.ts'
import { bounded } from '#lib/definition/values/reference.ts'
import type { Scope } from '#lib/definition/values/scope.ts'
import { checkPath } from '#lib/files/file-bounds.ts'
import type { RunInputs } from '#lib/runs/claim/claim-runs.ts'
import { asStepUser } from '#lib/privileges/step-identity.ts'
import { expandPath } from './expand-path.ts'
import { substitutionAt, type CommandContext } from './run-command.ts'

export interface InputSources {
  readonly definition: Definition
  /** The params text of the caller. */
  readonly given: string | undefined
  /** The cleaned environment of the service. */
  readonly inherited: ReadonlyMap<string, string>
  /** Base of relative paths, and the working directory of steps that set none. */
  readonly defaultWorkingDir: string
  readonly context: Pick<CommandContext, 'signal' | 'cleanUpMs' | 'onProcessGroup'>
}

/**
 * Evaluates the `env` of the file, then the params, then the working directory; each may refer to those before it.
 * @throws Error when a command in backticks fails, or a given param leads the working directory out of its folder
 */
export async function resolveInputs(sources: InputSources): Promise<RunInputs> {
  const { definition, given, inherited, defaultWorkingDir, context } = sources
  const run = substitutionAt({ ...context, workingDir: defaultWorkingDir, shell: ['sh'] })
  const start = bounded({ variables: inherited, positional: [], steps: new Map() })
  const expanded = await expandInOrder(definition.env, start, run)
  const env = expanded.map(({ name, value }) => ({ name, value }))
  const withEnv = new Map([...inherited, ...pairsOf(env)])
  const fitting = await fitParams(definition, given, { ...start, variables: withEnv }, run)
  const params = fitting.map(({ name, value }) => ({ name, value }))
  const isVisible = paramVisibility(definition, (name) => withEnv.has(name))
  const all = new Map([...withEnv, ...pairsOf(splitParams(params, isVisible).visible)])
  const positional = positionalValues(params)
  const foreign = await foreignParams(definition.params, given, params, withEnv)
  const scope: Scope = { ...start, variables: all, positional, foreign }
  const { path, bounds } = await expandPath(definition.workingDir ?? '', defaultWorkingDir, { scope, run })
  asStepUser(() => checkPath(path, 'workingDir', bounds))
  return { params, env, workingDir: path }
}

/** Named values as map entries. */
export function pairsOf(
  named: readonly { readonly name: string; readonly value: string }[],
): (readonly [string, string])[] {
  return named.map(({ name, value }) => [name, value])
}
