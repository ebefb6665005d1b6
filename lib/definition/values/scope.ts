/** What texts may refer to. The caller merges the sources (behaviour page 2.5) and gives one flat view. */
export interface Scope {
  /** By name: env, params, outputs, special variables. */
  readonly variables: ReadonlyMap<string, string>
  /** `$1` is the first. */
  readonly positional: readonly string[]
  /** By step id; a step without an id cannot be referred to. */
  readonly steps: ReadonlyMap<string, StepReference>
}

export interface StepReference {
  /** Paths of the files that hold the streams of the step. */
  readonly stdout: string
  readonly stderr: string
  /** undefined before the step has run. */
  readonly exitCode: number | undefined
  readonly outputs: Readonly<Record<string, string>>
}

/**
 * Runs a command substitution and gives its standard output without the line breaks at its end. The command comes as
 * written; it is a shell program like any other, so it wants `shellText` with this scope, the variables of the scope in
 * its environment and the positional values as its arguments.
 */
export type CommandRunner = (command: string, scope: Scope) => Promise<string>
