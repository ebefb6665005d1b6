import { paramsText } from '#lib/definition/params/params-text.ts'

/**
 * Converts words of the command line to the params format of the service: `NAME=value`, a positional value, or
 * everything as one JSON object or array. Blanks and quotes within a word are part of its value.
 * @returns undefined when there are none
 */
export function paramsOfWords(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined
  const [only = ''] = words
  if (words.length === 1 && /^\s*[{[]/.test(only)) return only
  return paramsText(
    words.map((word) => {
      const [, name, value = ''] = /^([A-Za-z_][A-Za-z0-9_.-]*|[1-9]\d*)=(.*)$/s.exec(word) ?? []
      return name === undefined ? { name, value: word } : { name, value }
    }),
  )
}
