import { quoteWord } from '../shell/split-words.ts'

/** What a machine keeps for itself: a name in the program means the value there. */
const ownNames = new Set([
  'HOME',
  'PATH',
  'USER',
  'LOGNAME',
  'SHELL',
  'PWD',
  'OLDPWD',
  'TMPDIR',
  'HOSTNAME',
  'TERM',
])

export interface RemoteWork {
  readonly commands: readonly string[]
  readonly script: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly positional: readonly string[]
  /** The program that reads the text; undefined: sh. */
  readonly shell: string | undefined
}

/**
 * What is typed at the other machine: it tells the process group on the first line of its output, then reads the
 * program from its input. The end mark keeps a program that was cut off from being run in part; what is left of the
 * group at the end is told to end.
 */
export function bootstrapLine(mark: string): string {
  const steps = [
    `printf '${mark} %s\\n' "$$"`,
    'program=$(cat)',
    `case $program in *'#${mark}') ;; *) exit 255 ;; esac`,
    `trap 'code=$?; trap "" TERM; kill -s TERM 0 2>/dev/null; exit $code' EXIT`,
    'eval "$program"',
  ]
  return `exec sh -c ${quoteWord(steps.join('; '))}`
}

/** The program itself. Variables that it names travel as values: they are set in front of it, in quotes. */
export function remoteProgram(work: RemoteWork, mark: string): string {
  const { script, commands, shell } = work
  const text = script ?? commands.join('\n')
  const named = new Set([...text.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name))
  const exports = Object.entries(work.env)
    .filter(([name]) => named.has(name) && !ownNames.has(name))
    .map(([name, value]) => `export ${name}=${quoteWord(value)}`)
  const positional = `set -- ${work.positional.map(quoteWord).join(' ')}`
  return [...exports, positional, bodyOf(text, script !== undefined, shell), `#${mark}`].join('\n')
}

function bodyOf(text: string, isScript: boolean, shell: string | undefined): string {
  if (shell !== undefined) return `${shell} -c ${quoteWord(text)} "$0" "$@"`
  if (!isScript) return text
  if (!text.startsWith('#!')) return `set -e\n${text}`
  // An interpreter wants a file.
  const steps = [
    'file=$(mktemp) || exit 1',
    `printf %s ${quoteWord(text)} >"$file" && chmod 700 "$file" || exit 1`,
    '"$file" "$@"',
    'code=$?',
    'rm -f "$file"',
    '(exit $code)',
  ]
  return steps.join('\n')
}
