const unitSec: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 }

/** Seconds of a duration such as `1d12h`; a number is in seconds already. */
export function durationSec(given: string | number): number {
  if (typeof given === 'number') return given
  let seconds = 0
  for (const [, digits, unit = ''] of given.matchAll(/(\d{1,9})([dhms])/g))
    seconds += Number(digits) * (unitSec[unit] ?? 0)
  return seconds
}

/**
 * Splits a text at blanks outside of quotes into an argument vector; a list is returned as it is. Undefined when it is
 * blank.
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
