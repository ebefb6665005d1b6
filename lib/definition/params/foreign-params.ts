import type { ParamDefault } from '#lib/definition/definition.ts'
import { expandTraced } from '#lib/definition/values/expand.ts'
import { referToHome } from '#lib/definition/values/home.ts'
import type { Scope } from '#lib/definition/values/scope.ts'
import { mergeParams, positionalValues } from './merge-params.ts'
import { readGivenParams } from './read-params.ts'

/**
 * The params of a run that the author of the file did not write, or not all of it: those that a caller gave, and
 * defaults that refer to them; see {@link Scope.foreign}. The output of a command counts as the caller's.
 * @param resolved the params of the run with their values
 * @param variables what else defaults may refer to: the environment of the file
 */
export async function foreignParams(
  defaults: readonly ParamDefault[],
  given: string | undefined,
  resolved: readonly { readonly name: string; readonly value: string }[],
  variables: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const foreign = new Map<string, number>()
  const fromCaller = readGivenParams(given)
  if (fromCaller.length === 0) return foreign
  const values = new Map([...variables, ...resolved.map(({ name, value }) => [name, value] as const)])
  const scope: Scope = {
    variables: values,
    positional: positionalValues(resolved),
    steps: new Map(),
    foreign,
  }
  for (const { name, value, origin } of mergeParams(defaults, fromCaller)) {
    if (origin === 'given') {
      foreign.set(name, 0)
      continue
    }
    const { text, own } = await expandTraced(referToHome(value), scope, () => Promise.resolve('?'))
    if (own < text.length) foreign.set(name, own)
  }
  return foreign
}
