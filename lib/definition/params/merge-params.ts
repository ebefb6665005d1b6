import type { ParamDefault } from '#lib/definition/definition.ts'
import { expand } from '#lib/definition/values/expand.ts'
import { referToHome } from '#lib/definition/values/home.ts'
import { bounded } from '#lib/definition/values/reference.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'
import { positionOf } from './read-params.ts'
import type { ParamVisibility } from './visible-params.ts'

/** A param of a run. */
export interface MergedParam {
  /** `1`, `2` … for the positional ones. */
  readonly name: string
  readonly value: string
  readonly origin: 'default' | 'given'
}

/**
 * Merges given params over the defaults of the file: by name, and by position for params without a name. Those with a
 * name count in the position: the `x` of `K=V x` is `$2`. A name such as `2` means the second position. Params
 * without a default come after those with one; a position that is not filled is absent. When a name is given twice, the
 * last value counts.
 */
export function mergeParams(
  defaults: readonly ParamDefault[],
  given: readonly ParamDefault[],
): MergedParam[] {
  const merged = new Map<string, MergedParam>()
  for (const { name, value } of named(defaults)) merged.set(name, { name, value, origin: 'default' })
  for (const { name, value } of named(given)) merged.set(name, { name, value, origin: 'given' })
  return [...merged.values()]
}

/**
 * Resolves the params of a run. Given params are data and stay as they are; defaults are expanded in order, each with
 * the params before it in scope, and a `~` at the start is the home directory.
 * @param scope what else defaults may refer to: the environment of the file
 * @param isVisible which params they, and their commands, may refer to
 */
export async function resolveParams(
  merged: readonly MergedParam[],
  scope: Scope,
  run: CommandRunner,
  isVisible: ParamVisibility,
): Promise<MergedParam[]> {
  const resolved: MergedParam[] = []
  const variables = new Map(scope.variables)
  const positional = [...scope.positional]
  const within: Scope = { ...bounded(scope), variables, positional }
  for (const param of merged) {
    const value = param.origin === 'given' ? param.value : await expand(referToHome(param.value), within, run)
    const position = positionOf(param.name)
    if (position !== undefined) positional[position - 1] = value
    else if (isVisible(param.name)) variables.set(param.name, value)
    resolved.push({ ...param, value })
  }
  return resolved
}

/** The values of `$1`, `$2` …; a position that is not filled is empty. */
export function positionalValues(
  params: readonly { readonly name: string; readonly value: string }[],
): string[] {
  const values: string[] = []
  for (const { name, value } of params) {
    const position = positionOf(name)
    if (position !== undefined) values[position - 1] = value
  }
  return Array.from(values, (value) => value ?? '')
}

function named(params: readonly ParamDefault[]): { readonly name: string; readonly value: string }[] {
  return params.map(({ name, value }, index) => ({ name: name ?? `${index + 1}`, value }))
}
