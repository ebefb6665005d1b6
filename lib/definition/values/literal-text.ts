/** Escapes dollar signs and backticks, which mean something in a DAG but not in the files of other programs. */
export function literalText(value: string): string {
  return value.replaceAll(/\\+[$`]?|[$`]/g, (all) => {
    const slashes = all.slice(0, -1)
    return all.endsWith('\\') ? all : `${slashes}${slashes}\\${all.slice(-1)}`
  })
}
