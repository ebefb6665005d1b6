/**
 * Splits a command line into words as a POSIX shell does, without expansion: blanks separate, quotes and backslashes
 * group. For commands that run without a shell.
 * @throws Error when a quote is not closed
 */
export function splitWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    if (quote === '') {
      if (/\s/.test(char)) {
        if (word !== undefined) words.push(word)
        word = undefined
        continue
      }
      word ??= ''
      if (char === '"' || char === "'") quote = char
      else if (char === '\\' && at + 1 < line.length) word += line.charAt(++at)
      else word += char
    } else if (char === quote) quote = ''
    else if (quote === '"' && char === '\\' && /["\\$`]/.test(line.charAt(at + 1))) word += line.charAt(++at)
    else word += char
  }
  if (quote !== '') throw new Error(`a ${quote} is not closed in the command: ${line}`)
  if (word !== undefined) words.push(word)
  return words
}

/** Quotes a word so that {@link splitWords} and every POSIX shell read it back unchanged. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
