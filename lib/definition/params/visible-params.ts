import type { Definition } from '#lib/definition/definition.ts'
import { isReservedName } from './reserved-names.ts'
import { positionOf } from './read-params.ts'

type Declarations = Pick<Definition, 'params' | 'paramsSchema' | 'env' | 'secrets'>
type Named = { readonly name: string; readonly value: string }

/** Decides by the name of a param whether texts and processes may see it; see {@link paramVisibility}. */
export type ParamVisibility = (name: string) => boolean

/**
 * Which params of a run its texts and processes see by name. A caller may be anybody who may start a run, and the key
 * of an item is data from elsewhere, so a name that the file does not declare only adds: it must be an identifier on
 * which no program acts, and one that no other source defines. All other params stay in `DAG_PARAMS_JSON`.
 * @param isDefined whether another source than the file's `env` and `secrets` defines a name
 */
export function paramVisibility(
  { params, paramsSchema, env, secrets }: Declarations,
  isDefined: (name: string) => boolean,
): ParamVisibility {
  const properties = paramsSchema?.['properties']
  const declared = new Set([
    ...params.flatMap(({ name }) => name ?? []),
    ...(typeof properties === 'object' && properties !== null ? Object.keys(properties) : []),
  ])
  const taken = new Set([...env, ...secrets].map(({ name }) => name))
  const isFree = (name: string): boolean =>
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isReservedName(name) && !taken.has(name) && !isDefined(name)
  return (name) => declared.has(name) || positionOf(name) !== undefined || isFree(name)
}

/** The params of a run that its texts and processes see, and the names of the others. */
export function splitParams(
  params: readonly Named[],
  isVisible: ParamVisibility,
): { readonly visible: readonly Named[]; readonly withheld: readonly string[] } {
  const visible = params.filter(({ name }) => isVisible(name))
  if (visible.length === params.length) return { visible, withheld: [] }
  return { visible, withheld: params.flatMap(({ name }) => (isVisible(name) ? [] : name)) }
}
