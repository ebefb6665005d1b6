import { quoteWord } from '../shell/split-words.ts'

/** What is left of the group when its program has ended may go on by itself for so long, tenths of a second. */
const drainTenths = 10

export interface Wrapping {
  /** Tells our lines from all others. */
  readonly mark: string
  /** Length of the program text, which is the first thing on the input. */
  readonly bytes: number
  /** Between a signal and SIGKILL, milliseconds. */
  readonly cleanUpMs: number
  /** The program needs the name of an empty file, which is its `$1`. */
  readonly needsFile: boolean
}

/**
 * The command line for the other machine: one line, in which only blanks follow `!`, so that every login shell (csh
 * and fish too) hands it to sh as it is. No value is in it, so that none shows in the list of processes there.
 *
 * It reads the program from its input and runs it in a session of its own, by the login shell where that is a POSIX
 * one; the program tells its start by a line with the mark on standard output. Each further line of the input names
 * a signal for the whole group. When the input ends, the other side is gone, and the group is ended: no program
 * outlives the runner that started it.
 */
export function wrapperLine({ mark, bytes, cleanUpMs, needsFile }: Wrapping): string {
  const tenths = Math.ceil(cleanUpMs / 100)
  const inner = `printf "${mark}\\n"; program=$(cat); exec </dev/null; eval "$program"`
  const steps = [
    'exec 3<&0 </dev/null',
    `program=$(head -c ${bytes} <&3)`,
    // A program that was cut off is not run in part.
    `case $program in *"#${mark}") ;; *) exit 255 ;; esac`,
    'case ${SHELL##*/} in sh|bash|dash|ash|ksh) shell=$SHELL ;; *) shell=sh ;; esac',
    needsFile ? 'file=$(mktemp) || exit 255' : 'file=',
    'lead= target=',
    'if command -v setsid >/dev/null; then lead=setsid target=-',
    // macOS and OpenBSD. Elsewhere at least the program itself can be ended.
    'elif command -v perl >/dev/null; then lead="perl -MPOSIX=setsid -e setsid;exec@ARGV" target=-',
    'fi',
    // The login shell has read its start files; bash would do so once more at this level.
    `printf %s "$program" | SHLVL=2 $lead "$shell" -c ${quoteWord(inner)} "\${shell##*/}" "$file" 3<&- & child=$! `,
    'target=$target$child program=',
    // The older form of kill: busybox takes no `--`, dash no negative number behind `-s`.
    'send() { kill "-$1" "$target"; }',
    // Zombies do not count: some systems collect them late.
    'alive() { send 0 || return 1; all=$(ps -A -o pgid= -o stat= | grep "^ *$child ")' +
      '; [ -z "$all" ] || printf "%s\\n" "$all" | grep -qv "^ *$child *[ZX]"; }',
    'pause() { sleep 0.1 || sleep 1; }',
    'await_end() { n=$1; while [ "$n" -gt 0 ] && alive; do pause; n=$((n-1)); done; }',
    // The group may not be there yet: then its end is tried again.
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
