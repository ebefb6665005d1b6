/**
 * Text in single quotes is often a program for another interpreter. A value inserted there would become program text,
 * which values must never be.
 */
export type QuotedProgram =
  /** `sh -c '…'`: a shell, which can look up variables itself. */
  | 'shell'
  /** `python3 -c '…'`, `awk '…'`: no value may be inserted. */
  | 'other'
  /** An ordinary argument. */
  | 'none'

const commandStart = '(?:^|[\\s;&|(`/])'
const shellCommand = new RegExp(
  `${commandStart}(?:(?:ba|da|z|k|mk|a)?sh(?:\\s+-\\S+)*\\s+-\\w*c|su\\s(?:[^;&|\\n]*\\s)?-c|eval)\\s+$`,
)
const optionsOnly = '(?:\\s+-\\S+)*\\s+'
const interpreter = new RegExp(
  `${commandStart}(?:python[\\d.]*|node|deno|bun|perl|ruby|php|lua[\\d.]*)` +
    `${optionsOnly}-{1,2}(?:\\w*[cerpE]|eval|print)\\s+$`,
)
const filter = new RegExp(`${commandStart}(?:[gmn]?awk|g?sed|jq)${optionsOnly}$`)
const database = new RegExp(
  `${commandStart}(?:sqlite3\\s[^;&|\\n]*` +
    '|(?:psql|mysql|mariadb)\\s(?:[^;&|\\n]*\\s)?-{1,2}(?:c|e|command|execute))\\s+$',
)

/** @param before the text before the opening quote; its last 200 characters are enough */
export function insideSingleQuotes(before: string): QuotedProgram {
  const words = before.trimEnd()
  if (words.length === before.length) return 'none'
  // The last word rules most patterns out. Without this look, a text of thousands of quotes takes seconds.
  const last = lastWord(words)
  const isOption = last.startsWith('-')
  const isShell = (isOption && last.endsWith('c')) || last.endsWith('eval')
  if (isShell && shellCommand.test(before)) return 'shell'
  if (isOption && interpreter.test(before)) return 'other'
  if ((isOption || /(?:awk|sed|jq)$/.test(last)) && filter.test(before)) return 'other'
  return (isOption || before.includes('sqlite3')) && database.test(before) ? 'other' : 'none'
}

function lastWord(words: string): string {
  let at = words.length
  while (at > 0 && words.charAt(at - 1).trim() !== '') at -= 1
  return words.slice(at)
}
