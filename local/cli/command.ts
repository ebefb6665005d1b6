import type { Output } from './output.ts'

/** `--name VALUE`, or a switch when it has no value. */
export interface Option {
  /** What stands for the value in the help. */
  readonly value?: string
  readonly short?: string
  readonly about: string
}

export type Options = Readonly<Record<string, Option>>

type ValueOf<Given extends Option> = Given extends { readonly value: string }
  ? string | undefined
  : 'value' extends keyof Given
    ? string | boolean | undefined
    : boolean

/** What a command is given. */
export interface Input<O extends Options = Options> {
  /** They fit a line of its usage. */
  readonly words: readonly string[]
  readonly options: { readonly [Name in keyof O]: ValueOf<O[Name]> }
  /** What stands behind `--`. */
  readonly rest: readonly string[]
  readonly output: Output
}

/** A command of `millrace`: help and completion are made from it. */
export interface Command<O extends Options = Options> {
  readonly name: string
  readonly summary: string
  /**
   * The words it takes, one line for each way: small letters stand for themselves, `NAME` for a word, `[NAME]` for one
   * that may be left out, `NAME…` for any number from one on; `[-- NAME…]` for what may follow the two dashes.
   */
  readonly usage: readonly string[]
  readonly options: O
  /** More for its help. */
  readonly details?: string
  /**
   * @returns the exit code of the process: 0 when absent
   * @throws UsageError, or Error with one sentence for the user
   */
  run(input: Input<O>): Promise<number | void>
}

/** Keeps the names of the options, so that `run` knows them. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command
}

/** The caller did not say what can be done: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * A number that an option gives.
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
