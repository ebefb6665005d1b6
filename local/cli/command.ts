import type { Output } from './output.ts'

/** `--name VALUE`, or a switch when it has no value. */
export interface Option {
  /** Name of the value in the help. */
  readonly value?: string
  readonly short?: string
  readonly about: string
}

export type Options = Readonly<Record<string, Option>>

/** Option of commands that show times. */
export const utcOption = { about: 'times in UTC instead of the local zone' } as const satisfies Option

type ValueOf<Given extends Option> = Given extends { readonly value: string }
  ? string | undefined
  : 'value' extends keyof Given
    ? string | boolean | undefined
    : boolean

/** Parsed arguments of a command. */
export interface Input<O extends Options = Options> {
  /** Words that match a line of the usage. */
  readonly words: readonly string[]
  readonly options: { readonly [Name in keyof O]: ValueOf<O[Name]> }
  /** Words after `--`. */
  readonly rest: readonly string[]
  readonly output: Output
}

/** A command of `millrace`. Help and completion are generated from it. */
export interface Command<O extends Options = Options> {
  readonly name: string
  readonly summary: string
  /**
   * The accepted words, one line per form. Lower case stands for itself, `NAME` for a word, `[NAME]` for an optional
   * word, `NAME…` for one or more words; `[-- NAME…]` for words after the two dashes.
   */
  readonly usage: readonly string[]
  readonly options: O
  /** Additional text for its help. */
  readonly details?: string
  /**
   * @returns the exit code of the process; default: 0
   * @throws UsageError, or Error with one sentence for the user
   */
  run(input: Input<O>): Promise<number | void>
}

/** Returns its argument; it exists so that `run` knows the types of the options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command
}

/** The command line is invalid: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Parses the number of an option.
 * @throws UsageError that names the option and the value
 */
export function wholeNumber(
  option: string,
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= from && number <= to) return number
  throw new UsageError(
    `--${option} must be a whole number from ${from} to ${to}, got ${JSON.stringify(text)}`,
  )
}
