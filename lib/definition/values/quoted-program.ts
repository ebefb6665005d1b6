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
  if (!/\s$/.test(before)) return 'none'
  if (shellCommand.test(before)) return 'shell'
  return interpreter.test(before) || filter.test(before) || database.test(before) ? 'other' : 'none'
}
