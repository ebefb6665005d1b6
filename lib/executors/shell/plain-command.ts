/** What a shell named `sh` (dash, bash, ksh, BusyBox) runs itself, and the words that begin its syntax. */
const ownWords = new Set(
  (
    '. alias autoload bg bind break builtin caller case cd chdir command compgen complete compopt continue coproc ' +
    'declare dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi float for function ' +
    'getopts hash help hist history if in integer jobs kill let local logout mapfile nameref popd print ' +
    'printf pushd pwd read readarray readonly return select set shift shopt source stop suspend test ' +
    'then time times trap true type typeset ulimit umask unalias unset until wait whence while'
  ).split(' '),
)

/**
 * The words of a command line with which `sh` does nothing but start the program that it names. Without the shell,
 * that takes half the time. Undefined when the line has any syntax, or names something that is not a program.
 */
export function plainWords(line: string): string[] | undefined {
  if (!/^[\w./:,+%@= \t-]+$/.test(line)) return undefined
  const words = line.trim().split(/[ \t]+/)
  const [program = ''] = words
  return program === '' || program.includes('=') || ownWords.has(program) ? undefined : words
}
