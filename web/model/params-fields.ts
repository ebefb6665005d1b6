/** A field of the form that starts a run. */
export interface ParamField {
  readonly name: string
  readonly value: string
}

/** One field a param, with its default. @param defaults `NAME="value"` pairs, as the service writes them */
export function paramFields(names: readonly string[], defaults: string): ParamField[] {
  const values = defaultsOf(defaults)
  return names.map((name) => ({ name, value: values.get(name) ?? '' }))
}

function defaultsOf(text: string): Map<string, string> {
  const values = new Map<string, string>()
  let place = 0
  for (const [, name, quoted, plain = ''] of text.matchAll(
    /(?:([^\s="]+)=)?(?:"((?:\\[^]|[^"\\])*)"|(\S+))/g,
  )) {
    if (name === undefined) place += 1
    values.set(name ?? String(place), quoted === undefined ? plain : unquoted(quoted))
  }
  return values
}

/**
 * The values of an earlier run, from the line in which the service shows them: blanks in values are not quoted
 * there, so a value ends where the next known name begins.
 */
export function valuesOfRun(names: readonly string[], line: string): Readonly<Record<string, string>> {
  const places = names
    .map((name) => ({ name, at: ` ${line}`.indexOf(` ${name}=`) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
  return Object.fromEntries(
    places.map(({ name, at }, index) => {
      const end = places[index + 1]?.at ?? line.length + 1
      return [name, line.slice(at + name.length + 1, Math.max(at, end - 1))]
    }),
  )
}

/**
 * What is sent: by name only what differs from the defaults, so that a default that is worked out at the start still
 * is. Params without names have only their places, so all are sent, as text. Undefined: nothing differs.
 */
export function changedParams(
  fields: readonly ParamField[],
  values: Readonly<Record<string, string>>,
): string | Readonly<Record<string, string>> | undefined {
  const given = fields.map(({ name, value }) => ({ name, value: values[name] ?? value, default: value }))
  const changed = given.filter((field) => field.value !== field.default)
  if (changed.length === 0) return undefined
  if (!given.some(({ name }) => isPlace(name))) {
    return Object.fromEntries(changed.map(({ name, value }) => [name, value]))
  }
  return given.map(({ name, value }) => (isPlace(name) ? '' : `${name}=`) + quoted(value)).join(' ')
}

const isPlace = (name: string): boolean => /^\d+$/.test(name)
/** Backslashes stand for themselves but before a quote and at the end, where there are twice as many. */
const unquoted = (text: string): string =>
  text.replaceAll(/\\+"?/g, (all, at: number) => {
    const slashes = all.replace('"', '')
    const isPaired = all.endsWith('"') || at + all.length === text.length
    return (isPaired ? slashes.slice(0, slashes.length / 2) : slashes) + (all.endsWith('"') ? '"' : '')
  })

const quoted = (value: string): string =>
  `"${value.replaceAll(/\\+"?|"/g, (all, at: number) => {
    const slashes = all.replace('"', '')
    if (all.endsWith('"')) return `${slashes}${slashes}\\"`
    return at + all.length === value.length ? slashes + slashes : slashes
  })}"`
