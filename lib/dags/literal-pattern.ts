/** A LIKE pattern that finds a text anywhere; `%`, `_` and `\` in the text match literally. */
export function literalPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}
