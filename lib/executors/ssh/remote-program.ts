import { quoteWord, splitWords } from '#lib/definition/values/split-words.ts'

export interface RemoteWork {
  readonly commands: readonly string[]
  readonly script: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly positional: readonly string[]
  /** Program that reads the text; undefined: the login shell, or sh when that is not a POSIX shell. */
  readonly shell: string | undefined
}

export interface RemoteProgram {
  /** For a POSIX shell. */
  readonly text: string
  /** True when it writes its script to the file that it receives as `$1`. */
  readonly needsFile: boolean
}

/** Variables that the remote machine or its shell sets itself: in a program, these names mean the remote value. */
const ownNames = new Set(
  (
    'HOME PATH USER LOGNAME SHELL PWD OLDPWD TMPDIR HOSTNAME TERM ' +
    'IFS UID EUID GID PPID SHLVL SHELLOPTS BASHOPTS BASH_ENV ENV OPTIND _'
  ).split(' '),
)

/** Linux limits one argument to 128 KiB; a longer text becomes a file. */
const argumentMax = 100_000

/**
 * The program for the remote machine. Variables that it names are set before it, quoted. The mark at its end shows that
 * it arrived completely.
 * @throws Error when the command line of a shell or an interpreter cannot be split
 */
export function remoteProgram(work: RemoteWork, mark: string): RemoteProgram {
  const program = programOf(work)
  const named = new Set([...program.body.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name))
  const exports = Object.entries(work.env)
    .filter(([name]) => named.has(name) && !ownNames.has(name))
    .map(([name, value]) => `export ${name}=${quoteWord(value)}`)
  const positional = ['set --', ...work.positional.map(quoteWord)].join(' ')
  const file = program.needsFile ? ['file=$1'] : []
  const text = [...file, ...exports, positional, program.body, `#${mark}`].join('\n')
  return { text, needsFile: program.needsFile }
}

interface Program {
  readonly body: string
  readonly needsFile: boolean
}

function programOf({ commands, script, shell }: RemoteWork): Program {
  if (script === undefined) return withShell(commands.join('\n'), shell)
  const text = script.replaceAll('\r\n', '\n')
  const interpreter = commands[0] === undefined ? shebang(text) : splitWords(commands[0])
  if (commands[0] !== undefined || shell === undefined) {
    return interpreter === undefined
      ? { body: `set -e\n${text}`, needsFile: false }
      : fromFile(interpreter, text)
  }
  return withShell(text, shell)
}

function withShell(text: string, shell: string | undefined): Program {
  if (shell === undefined) return { body: text, needsFile: false }
  const words = splitWords(shell)
  if (Buffer.byteLength(text) > argumentMax) return fromFile(words, text)
  return { body: `${line(words)} -c ${quoteWord(text)} "$0" "$@"`, needsFile: false }
}

function fromFile(words: readonly string[], text: string): Program {
  const body = [`printf %s ${quoteWord(text)} >"$file" || exit`, `${line(words)} "$file" "$@"`]
  return { body: body.join('\n'), needsFile: true }
}

/** The interpreter in the `#!` line, with its arguments split at blanks, as `env -S` does. */
function shebang(text: string): string[] | undefined {
  const words = /^#![ \t]*(\S.*)/.exec(text)?.[1]?.trim().split(/\s+/)
  return words
}

function line(words: readonly string[]): string {
  return words.map(quoteWord).join(' ')
}
