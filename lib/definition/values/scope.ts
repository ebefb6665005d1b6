import type { Effort } from './effort.ts'

/** What texts may refer to. The caller merges the sources into one flat view, in the order of VALUES.md. */
export interface Scope {
  /** By name: environment, params, outputs, special variables. */
  readonly variables: ReadonlyMap<string, string>
  /** The first element is `$1`. */
  readonly positional: readonly string[]
  /** By step id; a step without an id cannot be referred to. */
  readonly steps: ReadonlyMap<string, StepReference>
  /**
   * Variables and positions (`1` …) whose value the author of the file did not write, or not all of it: how many
   * characters at its start the author wrote. Only paths depend on it.
   */
  readonly foreign?: ReadonlyMap<string, number>
  /** Shared by the texts that are expanded together; absent: each text has its own. */
  readonly effort?: Effort
}

export interface StepReference {
  /** Paths of the files with the output of the step. */
  readonly stdout: string
  readonly stderr: string
  /** undefined before the step has run. */
  readonly exitCode: number | undefined
  readonly outputs: Readonly<Record<string, string>>
}

/**
 * Runs a command substitution and returns its standard output without trailing line breaks. The command is passed as
 * written; it is a shell program, so the runner must apply `shellText` with this scope, and pass the variables of the
 * scope as its environment and the positional values as its arguments.
 */
export type CommandRunner = (command: string, scope: Scope) => Promise<string>
