const posixShells = new Set(['sh', 'bash', 'dash', 'ash', 'ksh', 'zsh'])

/** Whether a shell, a name or a path, understands `-e`, `-c` and positional parameters. */
export function isPosixShell(program: string): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1)
  return posixShells.has(name.replace(/\.exe$/, ''))
}
