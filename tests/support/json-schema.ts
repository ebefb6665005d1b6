/** Checks values against the schemas of our OpenAPI document, independently of the code that it tests. */
export type Schema = Readonly<Record<string, unknown>>

interface Checker {
  /** One line per fault: where, and what. Undocumented fields are faults too. */
  faults(schema: Schema, value: unknown, path?: string): string[]
}

const known = new Set(
  `$ref type enum const anyOf oneOf properties required additionalProperties propertyNames items pattern format
   minLength maxLength minimum maximum description default title`.split(/\s+/),
)

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

export function schemaChecker(components: Readonly<Record<string, Schema>>): Checker {
  const patterns = new Map<string, RegExp>()

  function faults(schema: Schema, value: unknown, path = '$'): string[] {
    const stranger = Object.keys(schema).find((word) => !known.has(word))
    if (stranger !== undefined) throw new Error(`${path}: the checker does not know ${stranger}`)
    if (typeof schema['$ref'] === 'string') {
      const name = schema['$ref'].split('/').at(-1) ?? ''
      const target = components[name]
      return target === undefined ? [`${path}: no component ${name}`] : faults(target, value, path)
    }
    const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined
    if (choices !== undefined) {
      const fits = choices.some((choice) => faults(choice, value, path).length === 0)
      return fits ? [] : [`${path}: fits none of the choices`]
    }
    const types = [schema['type'] ?? []].flat() as string[]
    if (types.length > 0 && !types.some((type) => kinds[type]?.(value))) {
      return [`${path}: ${JSON.stringify(value)?.slice(0, 80)} is not ${types.join(' or ')}`]
    }
    return [...bounds(schema, value, path), ...inner(schema, value, path)]
  }

  function bounds(schema: Schema, value: unknown, path: string): string[] {
    const wrong = (word: string): string[] => [`${path}: ${JSON.stringify(value)} breaks ${word}`]
    const allowed = 'const' in schema ? [schema['const']] : (schema['enum'] as readonly unknown[] | undefined)
    if (allowed !== undefined && !allowed.includes(value)) return wrong('enum')
    if (typeof value === 'number') {
      if (value < Number(schema['minimum'] ?? -Infinity)) return wrong('minimum')
      if (value > Number(schema['maximum'] ?? Infinity)) return wrong('maximum')
    }
    if (typeof value !== 'string') return []
    if (value.length < Number(schema['minLength'] ?? 0)) return wrong('minLength')
    if (value.length > Number(schema['maxLength'] ?? Infinity)) return wrong('maxLength')
    const source = schema['pattern']
    if (typeof source !== 'string') return []
    const pattern = patterns.get(source) ?? new RegExp(source)
    patterns.set(source, pattern)
    return pattern.test(value) ? [] : wrong('pattern')
  }

  function inner(schema: Schema, value: unknown, path: string): string[] {
    if (Array.isArray(value)) {
      const items = schema['items'] as Schema | undefined
      return items === undefined ? [] : value.flatMap((item, at) => faults(items, item, `${path}[${at}]`))
    }
    if (typeof value !== 'object' || value === null) return []
    const named = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
    const more = schema['additionalProperties']
    const missing = ((schema['required'] ?? []) as string[]).filter((name) => !Object.hasOwn(value, name))
    const names = (schema['propertyNames'] ?? {}) as Schema
    return [
      ...Object.keys(value).flatMap((name) => faults(names, name, `${path} (name)`)),
      ...missing.map((name) => `${path}: lacks ${name}`),
      ...Object.entries(value).flatMap(([name, field]) => {
        const rule = Object.hasOwn(named, name) ? named[name] : more
        if (rule === undefined && schema['properties'] === undefined) return []
        if (rule === undefined || rule === false) return [`${path}: has ${name}, which is not documented`]
        return faults(rule === true ? {} : (rule as Schema), field, `${path}.${name}`)
      }),
    ]
  }

  return { faults }
}
