import type { Definition } from '../definition.ts'
import { isKeyText } from '#lib/definition/step/ssh-key.ts'
import { maskText } from './mask-text.ts'
import { isReference, isSecretName, mask } from './secret-names.ts'
import { SecretValues } from './secret-values.ts'

type Json = Readonly<Record<string, unknown>>

/** Fields of a definition that are shown as they are: names, references, and params, which every reader sees. */
const open = new Set([
  'secrets',
  'params',
  'paramsSchema',
  'output',
  'name',
  'id',
  'dependsOn',
  'tags',
  'type',
])
const masked = new WeakMap<Definition, Definition>()

/**
 * The definition as readers see it who may not edit it: without secrets that are written in it. It has the same steps
 * with the same names.
 */
export function maskDefinition(definition: Definition): Definition {
  const known = masked.get(definition)
  if (known !== undefined) return known
  const values = new SecretValues()
  const hidden = hide(definition, 'plain', values) as Definition
  const shown = replaceAgain(hidden, values) as Definition
  masked.set(definition, shown)
  return shown
}

/** The secrets that are written in a definition. */
export function writtenSecrets(definition: Definition): SecretValues {
  const values = new SecretValues()
  hide(definition, 'plain', values)
  return values
}

type Context = 'plain' | 'secret' | 'registries' | 'ssh'

function hide(value: unknown, context: Context, values: SecretValues): unknown {
  const isHidden = context === 'secret' || context === 'registries'
  if (typeof value === 'string') return isHidden ? hideAll(value, values) : hideIn(value, values)
  if (typeof value === 'number') return isHidden ? mask : value
  if (Array.isArray(value)) return value.map((item) => hide(item, context, values))
  if (typeof value !== 'object' || value === null) return value
  return hideFields(value as Json, context, values)
}

function hideFields(fields: Json, context: Context, values: SecretValues): Json {
  const { name } = fields
  const isVariable = typeof name === 'string' && typeof fields['value'] === 'string'
  const shown = Object.entries(fields).map(([key, value]) => {
    if (isVariable && key === 'value' && isSecretName(name)) return [key, hide(value, 'secret', values)]
    if (context === 'secret' || (context === 'registries' && key !== 'username')) {
      return [key, hide(value, context, values)]
    }
    if (context === 'ssh' && key === 'key' && isPath(value)) return [key, value]
    if (key === 'ssh' || (key === 'config' && fields['type'] === 'ssh'))
      return [key, hide(value, 'ssh', values)]
    if (key === 'registryAuths') return [key, hide(value, 'registries', values)]
    if (open.has(key)) return [key, value]
    return [key, hide(value, isSecretName(key) ? 'secret' : 'plain', values)]
  })
  return Object.fromEntries(shown) as Json
}

/** Errors name the path of a key. */
const isPath = (key: unknown): boolean => typeof key === 'string' && !isKeyText(key)

function hideAll(text: string, values: SecretValues): string {
  if (text === '' || isReference(text)) return text
  values.add(text)
  return mask
}

function hideIn(text: string, values: SecretValues): string {
  const { text: shown, secrets } = maskText(text)
  for (const secret of secrets) values.add(secret)
  return shown
}

/** A secret that is written at two positions, by an alias for example. Names stay: they are how steps are addressed. */
function replaceAgain(value: unknown, values: SecretValues): unknown {
  if (typeof value === 'string') return values.replace(value)
  if (Array.isArray(value)) return value.map((item) => replaceAgain(item, values))
  if (typeof value !== 'object' || value === null) return value
  const named = new Set(['name', 'id', 'dependsOn', 'type'])
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, named.has(key) ? inner : replaceAgain(inner, values)]),
  )
}
