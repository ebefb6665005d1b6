import { parseArgs } from 'node:util'
import { nearestName } from '#lib/core/nearest-name.ts'
import { UsageError, type Command, type Input, type Options } from './command.ts'

/** Options of every command. */
export const commonOptions = {
  json: { about: 'print one line of JSON per answer' },
  help: { short: 'h', about: 'show this help' },
} as const satisfies Options

type Reading = Pick<Input, 'words' | 'options' | 'rest'>

/**
 * Parses the arguments of a command.
 * @throws UsageError that names the word or the option
 */
export function readWords(command: Command, args: readonly string[]): Reading {
  const dashes = args.indexOf('--')
  const own = dashes < 0 ? args : args.slice(0, dashes)
  const rest = dashes < 0 ? [] : args.slice(dashes + 1)
  const { words, options } = readOptions({ ...command.options, ...commonOptions }, own)
  if (options['help'] === true) return { words, options, rest }
  if (rest.length > 0 && !command.usage.some((line) => line.includes('[-- '))) {
    throw new UsageError(`nothing may follow --, got ${JSON.stringify(rest[0])}`)
  }
  checkWords(command.usage, words)
  return { words, options, rest }
}

function readOptions(known: Options, args: readonly string[]): Omit<Reading, 'rest'> {
  const config = Object.fromEntries(
    Object.entries(known).map(([name, { value, short }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  )
  const { tokens } = parseArgs({ args: [...args], options: config, strict: false, tokens: true })
  const words: string[] = []
  const options: Record<string, string | boolean | undefined> = {}
  for (const [name, { value }] of Object.entries(known))
    options[name] = value === undefined ? false : undefined
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind === 'option') options[token.name] = valueOf(known, token)
  }
  return { words, options }
}

interface Token {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function valueOf(known: Options, { name, rawName, value, inlineValue }: Token): string | true {
  const option = Object.hasOwn(known, name) ? known[name] : undefined
  if (option === undefined) {
    const nearest = nearestName(name, Object.keys(known))
    throw new UsageError(
      `${rawName} is not an option${nearest === undefined ? '' : `; did you mean --${nearest}?`}`,
    )
  }
  if (option.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value, got ${JSON.stringify(value)}`)
    return true
  }
  const isMissing = value === undefined || (inlineValue !== true && value.startsWith('-') && value !== '-')
  if (isMissing) throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}`)
  return value
}

/** The words that a line of the usage expects. */
export function slotsOf(line: string): readonly string[] {
  return (line.split('[--')[0] ?? '').split(' ').filter((slot) => slot !== '')
}

export const isLiteral = (slot: string): boolean => /^[a-z]/.test(slot)

function checkWords(usage: readonly string[], words: readonly string[]): void {
  const lines = usage.map(slotsOf)
  const matching = lines.filter(([first = '']) => !isLiteral(first) || first === words[0])
  if (matching.length === 0) {
    const verbs = lines.map(([first = '']) => first).join(', ')
    throw new UsageError(
      words[0] === undefined
        ? `expected one of ${verbs}`
        : `${JSON.stringify(words[0])} is not one of ${verbs}`,
    )
  }
  const faults = matching.map((slots) => faultOf(slots, words))
  if (faults.includes(undefined)) return
  const takesParams = words.length > 1 && usage.some((line) => line.includes('[-- '))
  throw new UsageError(`${faults[0]}${takesParams ? '; params come after --' : ''}`)
}

function faultOf(slots: readonly string[], words: readonly string[]): string | undefined {
  const missing = slots[words.length]
  if (missing !== undefined && !missing.startsWith('[')) return `${missing} is missing`
  if (words.length <= slots.length || slots.at(-1)?.includes('…') === true) return undefined
  return `there is one word too many: ${JSON.stringify(words[slots.length])}`
}
