/** A pattern for LIKE that finds a text anywhere, with `%`, `_` and `\` in it standing for themselves. */
export function literalPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}
