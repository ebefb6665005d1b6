import { basename } from 'node:path'
import { isPosixShell } from '#lib/definition/values/posix-shell.ts'
import type { StepContext } from '../executor.ts'
import { usualShell } from './default-shell.ts'
import { plainWords } from './plain-command.ts'
import { splitWords } from '#lib/definition/values/split-words.ts'

/** One process of a step. `{file}` in `argv` stands for the script, which is written to a file. */
export interface Program {
  readonly argv: readonly string[]
  readonly script: string | undefined
  /** The program itself, where a shell would only start it. */
  readonly plain?: readonly string[] | undefined
}

export const scriptSlot = '{file}'

/** Linux limits one argument to 128 KiB; a longer command line becomes a script file. */
const commandLengthMax = 100_000

/**
 * The processes of an attempt, in the order in which they run.
 * @throws Error when a command line cannot be split
 */
export function programsOf(
  context: Pick<StepContext, 'commands' | 'script' | 'shell' | 'positional'>,
): Program[] {
  const { commands, script, shell } = context
  if (script !== undefined) return [scriptProgram(context, script)]
  if (shell.argv[0] === 'direct')
    return commands.map((line) => ({ argv: splitWords(line), script: undefined }))
  const isPlainShell = !shell.explicit && shell.argv.join(' ') === usualShell
  return commands.map((line) => {
    const isScript = line.startsWith('#!') || Buffer.byteLength(line) > commandLengthMax
    if (isScript) return scriptProgram({ ...context, commands: [] }, line)
    const name = basename(shell.argv[0] ?? usualShell)
    const values = isPosixShell(name) ? [name, ...context.positional] : []
    const argv = [...shellArgv(shell), '-c', line, ...values]
    return { argv, script: undefined, plain: isPlainShell ? plainWords(line) : undefined }
  })
}

function scriptProgram(
  { commands, shell, positional }: Pick<StepContext, 'commands' | 'shell' | 'positional'>,
  text: string,
): Program {
  const script = text.replaceAll('\r\n', '\n')
  const interpreter = commands[0]
  if (interpreter !== undefined) return { argv: [...splitWords(interpreter), scriptSlot], script }
  const named = shell.explicit && shell.argv[0] !== 'direct' ? undefined : shebang(script)
  const { argv: own, usual = usualShell } = shell
  const argv = named ?? shellArgv(own[0] === 'direct' ? { argv: [usual], explicit: false } : shell)
  return { argv: [...argv, scriptSlot, ...(isPosixShell(argv[0] ?? '') ? positional : [])], script }
}

/** The argument vector of a `#!` line; arguments are split at blanks, as `env -S` does. */
function shebang(script: string): string[] | undefined {
  if (!script.startsWith('#!')) return undefined
  const words = (script.split('\n', 1)[0] ?? '').slice(2).trim().split(/\s+/)
  return words[0] === '' ? undefined : words
}

/** Adds `-e` when the step did not choose the shell, so that a failing command ends the step. */
function shellArgv(shell: StepContext['shell']): string[] {
  const strict = !shell.explicit && isPosixShell(shell.argv[0] ?? '')
  return strict ? [...shell.argv, '-e'] : [...shell.argv]
}
