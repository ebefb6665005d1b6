import type { ParamField } from './params-fields.ts'

/** The values of the fields, by name; untouched fields are absent. */
export type ParamValues = Readonly<Record<string, string>>

/**
 * The values of an earlier run, from the line in which the service shows them: blanks in values are not quoted
 * there, so a value ends where the next known name begins.
 */
export function valuesOfRun(names: readonly string[], line: string): Readonly<Record<string, string>> {
  const found = names
    .map((name) => ({ name, at: ` ${line}`.indexOf(` ${name}=`) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
  return Object.fromEntries(
    found.map(({ name, at }, index) => {
      const end = found[index + 1]?.at ?? line.length + 1
      return [name, line.slice(at + name.length + 1, Math.max(at, end - 1))]
    }),
  )
}

/**
 * The params to send: by name only those that differ from the defaults, so that a default computed at the start still
 * is. Positional params are all sent, as text. Undefined: nothing differs.
 */
export function changedParams(
  fields: readonly Pick<ParamField, 'name' | 'value' | 'kind'>[],
  values: ParamValues,
): string | Readonly<Record<string, string>> | undefined {
  const given = fields.flatMap(({ name, kind, value: written }) => {
    const value = values[name] ?? written ?? (kind === 'flag' ? 'false' : undefined)
    const isAbsent = value === undefined || (value === '' && written === undefined)
    return isAbsent ? [] : [{ name, value, isChanged: value !== written }]
  })
  const changed = given.filter((field) => field.isChanged)
  if (changed.length === 0) return undefined
  if (!given.some(({ name }) => isPosition(name))) {
    return Object.fromEntries(changed.map(({ name, value }) => [name, value]))
  }
  return given.map(({ name, value }) => (isPosition(name) ? '' : `${name}=`) + quoted(value)).join(' ')
}

const isPosition = (name: string): boolean => /^\d+$/.test(name)
/** Backslashes are literal, except before a quote and at the end, where they are doubled. */
const quoted = (value: string): string =>
  `"${value.replaceAll(/\\+"?|"/g, (all, at: number) => {
    const slashes = all.replace('"', '')
    if (all.endsWith('"')) return `${slashes}${slashes}\\"`
    return at + all.length === value.length ? slashes + slashes : slashes
  })}"`
