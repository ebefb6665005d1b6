/**
 * An argument vector: a list as it is, a text cut at blanks that stand outside of quotes. Nothing when it
 * is blank.
 */
export function argumentVector(given: string | readonly string[] | undefined): string[] | undefined {
  if (given === undefined) return undefined
  const words = typeof given === 'string' ? cut(given) : [...given]
  return words.length === 0 || words[0]?.trim() === '' ? undefined : words
}

function cut(text: string): string[] {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/g) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
