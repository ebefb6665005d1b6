import { quoteWord } from '#lib/definition/values/split-words.ts'

/** How long leftover processes of the group may continue after their program has ended, tenths of a second. */
const drainTenths = 10

export interface Wrapping {
  /** Distinguishes our lines from all others. */
  readonly mark: string
  /** Length of the program text, which comes first on the input. */
  readonly bytes: number
  /** Time between a signal and SIGKILL, milliseconds. */
  readonly cleanUpMs: number
  /** The program needs the name of an empty file, as its `$1`. */
  readonly needsFile: boolean
}

/**
 * The command line for the remote machine: one line, in which only blanks follow `!`, so that every login shell (csh
 * and fish too) passes it to sh unchanged. It contains no value, so none shows in the remote process list.
 *
 * It reads the program from its input and runs it in a session of its own, by the login shell if that is a POSIX shell.
 * The program marks its start by a line with the mark on standard output. Each further line of the input names a signal
 * for the whole group. When the input ends, the runner is gone, and the group is ended: no program outlives the runner
 * that started it.
 */
export function wrapperLine({ mark, bytes, cleanUpMs, needsFile }: Wrapping): string {
  const tenths = Math.ceil(cleanUpMs / 100)
  const inner = `printf "${mark}\\n"; program=$(cat); exec </dev/null; eval "$program"`
  const steps = [
    'exec 3<&0 </dev/null',
    `program=$(head -c ${bytes} <&3)`,
    // A program that arrived incompletely is not run.
    `case $program in *"#${mark}") ;; *) exit 255 ;; esac`,
    'case ${SHELL##*/} in sh|bash|dash|ash|ksh) shell=$SHELL ;; *) shell=sh ;; esac',
    needsFile ? 'file=$(mktemp) || exit 255' : 'file=',
    'lead= target=',
    'if command -v setsid >/dev/null; then lead=setsid target=-',
    // macOS and OpenBSD have no setsid. Elsewhere, at least the program itself can be ended.
    'elif command -v perl >/dev/null; then lead="perl -MPOSIX=setsid -e setsid;exec@ARGV" target=-',
    'fi',
    // The login shell has read its start files already; bash would read them again at this level.
    `printf %s "$program" | SHLVL=2 $lead "$shell" -c ${quoteWord(inner)} "\${shell##*/}" "$file" 3<&- & child=$! `,
    'target=$target$child program=',
    // The older form of kill: busybox accepts no `--`, dash no negative number after `-s`.
    'send() { kill "-$1" "$target"; }',
    // Zombies do not count, because some systems reap them late.
    'alive() { send 0 || return 1; all=$(ps -A -o pgid= -o stat= | grep "^ *$child ")' +
      '; [ -z "$all" ] || printf "%s\\n" "$all" | grep -qv "^ *$child *[ZX]"; }',
    'pause() { sleep 0.1 || sleep 1; }',
    'await_end() { n=$1; while [ "$n" -gt 0 ] && alive; do pause; n=$((n-1)); done; }',
    // The group may not exist yet; then ending it is retried.
    'finish() { n=20; until send TERM || [ "$n" = 0 ]; do pause; n=$((n-1)); done' +
      `; await_end ${tenths}; send KILL; }`,
    '{ while read -r signal; do send "$signal"; done; finish; } <&3 >/dev/null 2>&1 & watcher=$! ',
    'exec 3<&- 2>/dev/null',
    'wait "$child"',
    'code=$?',
    `await_end ${drainTenths}`,
    'if alive; then finish; fi',
    '[ -z "$file" ] || rm -f "$file"',
    'kill "$watcher"',
    'exit "$code"',
  ]
  return `exec sh -c ${quoteWord(steps.join('; '))}`
}
