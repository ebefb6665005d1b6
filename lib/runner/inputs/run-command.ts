import { GrowingBytes } from '#lib/core/growing-bytes.ts'
import { limits } from '#lib/core/limits.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'
import { shellTexts } from '#lib/definition/values/shell-text.ts'
import type { OutputMask } from '#lib/executors/executor.ts'
import { programsOf } from '#lib/executors/shell/programs.ts'
import { runProcess, type ProcessContext } from '#lib/executors/shell/run-process.ts'
import { keepTail } from '#lib/executors/shell/stderr-tail.ts'
import { processEnvironment } from './process-environment.ts'

/** Context of the commands in a definition: conditions, and commands in backticks. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string>>
  readonly positional: readonly string[]
  readonly workingDir: string
  readonly shell: readonly string[]
  readonly signal: AbortSignal
  readonly cleanUpMs: number
  readonly onProcessGroup: ProcessContext['onProcessGroup']
  /** Masks the stderr of a failing command; absent: the run has no secrets. */
  readonly mask?: (() => OutputMask) | undefined
}

/** A context without `env` and `positional`, which come from the scope of the text that contains the command. */
export type SubstitutionContext = Omit<CommandContext, 'env' | 'positional'>

export interface CommandResult {
  readonly exitCode: number
  /** Empty on success; otherwise `exit status N`, or why the command could not run. */
  readonly error: string
  /** Standard output without trailing line breaks. */
  readonly output: string
}

/**
 * Runs program text in a shell, which stops at the first error, and captures its output.
 * @throws Error when the output is longer than 1 MiB
 */
export async function runCommand(text: string, context: CommandContext): Promise<CommandResult> {
  const kept = new GrowingBytes()
  const tail = keepTail(() => undefined, context.mask?.())
  const [program] = programsOf({
    commands: [text],
    script: undefined,
    shell: { argv: context.shell, explicit: false },
    positional: context.positional,
  })
  const end = await runProcess(program?.argv ?? [], {
    ...context,
    stopSignal: 'SIGTERM',
    stdout: (bytes) => {
      kept.add(bytes)
      if (kept.size > limits.outputBytesDefault) throw new Error(`the output of ${text} is longer than 1 MiB`)
      return undefined
    },
    stderr: tail.sink,
  })
  const output = trimLineBreaks(kept.take().toString('utf8').replaceAll('\0', ''))
  if (end.how === 'exited' && end.code === 0) return { exitCode: 0, error: '', output }
  const exitCode = end.how === 'exited' ? end.code : 128
  const reason =
    end.how === 'exited'
      ? `exit status ${end.code}`
      : end.how === 'signalled'
        ? end.signal
        : end.error.message
  const stderr = tail.text()
  return { exitCode, error: stderr === '' ? reason : `${reason}: ${stderr}`, output }
}

function trimLineBreaks(text: string): string {
  let end = text.length
  while (end > 0 && '\r\n'.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/**
 * Creates the function that runs commands in backticks. It rejects when a command fails.
 * @param before creates the files that the command refers to
 */
export function substitutionAt(context: SubstitutionContext, before?: () => Promise<void>): CommandRunner {
  return async (command, scope) => {
    const result = await runProgram(command, scope, context, before)
    if (result.error !== '') throw new Error(`command substitution \`${command}\` failed: ${result.error}`)
    return result.output
  }
}

/** Runs a line of program text that may refer to variables of a scope; see {@link runCommand}. */
export async function runProgram(
  text: string,
  scope: Scope,
  context: SubstitutionContext,
  before?: () => Promise<void>,
): Promise<CommandResult> {
  const program = shellTexts([text], scope)
  await before?.()
  const variables = [...scope.variables, ...Object.entries(program.env)]
  return runCommand(program.texts[0] ?? '', {
    ...context,
    env: processEnvironment(variables),
    positional: scope.positional,
  })
}
