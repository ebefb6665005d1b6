import type { ParamDefault } from '#lib/definition/definition.ts'

/**
 * Params as text: `"p1" NAME="v"`, which `readGivenParams` parses back exactly, whatever the values are. When a name
 * cannot be written that way, the text is a JSON object.
 */
export function paramsText(params: readonly ParamDefault[]): string {
  if (
    params.every(({ name }) => name === undefined || /^(?:[A-Za-z_][A-Za-z0-9_.-]*|[1-9]\d*)$/.test(name))
  ) {
    return params
      .map(({ name, value }) => (name === undefined ? quoteValue(value) : `${name}=${quoteValue(value)}`))
      .join(' ')
  }
  const members = params.map(
    ({ name, value }, index) => `${JSON.stringify(name ?? `${index + 1}`)}:${JSON.stringify(value)}`,
  )
  return `{${members.join(',')}}`
}

/** A value in double quotes, which `readParamText` parses back. */
export function quoteValue(value: string): string {
  const escaped = value.replaceAll(/\\+"?|"/g, (all: string, at: number) => {
    if (all.endsWith('"')) return `${all.slice(0, -1)}${all.slice(0, -1)}\\"`
    return at + all.length === value.length ? all + all : all
  })
  return `"${escaped}"`
}
