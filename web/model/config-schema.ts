import type { SpecSchema } from './spec-schema.ts'
import { indentOf, isBlank, isBoundary, readLine } from './yaml-line.ts'
import type { YamlPath } from './yaml-path.ts'

/** A part of a schema, and a path within it. */
export interface SchemaPart {
  readonly schema: SpecSchema
  readonly path: YamlPath
}

/** The schema along a path: within the `config` of a step, the schema of the type next to it. */
export function schemaPartAt(text: string, offset: number, { path, schema }: SchemaPart): SchemaPart {
  const start = path.findIndex((key) => typeof key === 'string' && key.toLowerCase() === 'config')
  if (start < 2 || !/^(steps|handleron)$/i.test(String(path[0]))) return { schema, path }
  const lines = text.split('\n')
  const number = text.slice(0, offset).split('\n').length - 1
  const config = configOf(schema, typeBeside(lines, number)?.toLowerCase())
  return config === undefined ? { schema, path } : { schema: config, path: path.slice(start + 1) }
}

/** The schema of the config of a type, by the rules of a step. */
function configOf({ $defs = {} }: SpecSchema, type: string | undefined): SpecSchema | undefined {
  const rule = $defs['Step']?.allOf?.find((one) => one.if?.properties?.['type']?.enum?.includes(type))
  const name = rule?.then?.properties?.['config']?.$ref?.replace('#/$defs/', '')
  const config = name === undefined ? undefined : $defs[name]
  return config && { ...config, $defs }
}

/** The type in the map whose `config` a line is in. */
function typeBeside(lines: readonly string[], number: number): string | undefined {
  let reach = Infinity
  for (let at = number; at >= 0; at--) {
    const text = lines[at] ?? ''
    if (isBoundary(text)) return undefined
    if (at < number && (isBlank(text) || indentOf(text) >= reach)) continue
    const { tokens, rest } = readLine(text)
    const own = tokens.find(({ key, column }) => key?.toLowerCase() === 'config' && column < reach)
    if (own !== undefined) return typeInMap(lines, at, own.column)
    const inFlow = /[{,]\s*type:\s*["']?(\w+)/i.exec(rest)?.[1]
    if (inFlow !== undefined && /\bconfig\s*:/i.test(rest)) return inFlow
    reach = Math.min(reach, indentOf(text))
  }
  return undefined
}

/** The value of `type` among the keys in a column. */
function typeInMap(lines: readonly string[], number: number, column: number): string | undefined {
  const typeOn = (at: number): string | undefined => {
    const { tokens, rest } = readLine(lines[at] ?? '')
    const last = tokens.at(-1)
    return last?.column === column && last.key?.toLowerCase() === 'type' ? /\w+/.exec(rest)?.[0] : undefined
  }
  const isIn = (at: number): boolean => {
    const text = lines[at] ?? ''
    return !isBoundary(text) && (isBlank(text) || indentOf(text) >= column)
  }
  const beginsHere = (at: number): boolean => indentOf(lines[at] ?? '') < column && !isBlank(lines[at] ?? '')
  for (let at = number; at >= 0; at--) {
    const type = typeOn(at)
    if (type !== undefined) return type
    if (beginsHere(at)) break
  }
  for (let at = number + 1; at < lines.length && isIn(at); at++) {
    const type = typeOn(at)
    if (type !== undefined) return type
  }
  return undefined
}
