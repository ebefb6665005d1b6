import type { Command, Option } from './command.ts'
import { commonOptions } from './read-words.ts'

/** The help page of all commands, one line each. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    'usage: millrace COMMAND …',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'millrace help COMMAND shows the options of one. Exit codes: 0 success, 1 failure, 2 wrong usage.',
  ].join('\n')
}

/** The help page of one command. */
export function helpOf({ name, summary, usage, options, details }: Command): string {
  const rows = Object.entries<Option>({ ...options, ...commonOptions }).map(
    ([long, option]): [string, string] => {
      const short = option.short === undefined ? '' : `-${option.short}, `
      return [`${short}--${long}${option.value === undefined ? '' : ` ${option.value}`}`, option.about]
    },
  )
  const width = Math.max(...rows.map(([left]) => left.length))
  return [
    ...usage.map((line, index) => `${index === 0 ? 'usage:' : '      '} millrace ${name} ${line}`.trimEnd()),
    '',
    `${summary}.`,
    ...(details === undefined ? [] : [details]),
    '',
    ...rows.map(([left, about]) => `  ${left.padEnd(width)}  ${about}`),
  ].join('\n')
}
