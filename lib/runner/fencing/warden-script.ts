/**
 * The program of the warden, for any POSIX shell: it takes about 1 MB of memory and loads nothing. Its arguments:
 *  1     the mark in the environment of the runner's processes
 *  2     the folder for temporary files
 *  3, 4  prefixes of the names of the runner's folders there
 *  5 …   what runs a command as the step user, if any: other users may not read the environment of steps
 *
 * It reads one order per line:
 *  + GROUP    kill this process group when the runner is gone
 *  - GROUP    this group has ended
 *  r SECONDS  the lease was renewed: kill everything unless another renewal follows within this time
 *
 * It kills everything, removes those folders and exits when its input ends, because the kernel closes the pipe however
 * the runner died. It does the same, with exit status 3, when no renewal came in time: then the runner is stopped, or
 * cut off from the database. The timer is a sleeping child, because `read` of a POSIX shell has no timeout.
 */
export const wardenScript = `
mark=$1
temporary=$2
first=$3
second=$4
shift 4
groups=' '
timer=
# Called with the prefix for the step user, because "$@" in a function is its own arguments.
kill_all() {
  # Listed before the kill, because a runner that continues may make new folders meanwhile.
  folders=$(cd "$temporary" && echo "$first"* "$second"*)
  for group in $groups; do kill -s KILL -- "-$group"; done
  # A process that left its group (setsid) still has the mark in its environment. Needs /proc.
  for pass in 1 2 3 4 5; do
    found=
    for file in $("$@" grep -alsF -- "$mark" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}
      pid=\${pid%/environ}
      kill -s KILL -- "$pid" && found=1
    done
    [ -n "$found" ] || break
  done
  (cd "$temporary" && "$@" find $folders -prune -type d -user "$("$@" id -u)" -exec rm -rf -- {} +)
}
# A timer may outlive a killed warden, and another process may have got its pid.
is_warden() {
  [ ! -d /proc/self ] || grep -qsF -- "$mark" "/proc/$1/cmdline"
}
stop_timer() {
  if [ -n "$timer" ]; then
    # Not TERM: it is ignored here, and the timer inherits that until its own trap is set.
    kill -s USR2 "$timer"
    wait "$timer"
  fi
  timer=
}
trap 'kill_all "$@"; exit 3' USR1
trap '' INT TERM HUP QUIT PIPE
while IFS=' ' read -r order value; do
  case $order in
    +) groups="$groups$value " ;;
    -) case $groups in
         *" $value "*) groups="\${groups%%" $value "*} \${groups#*" $value "}" ;;
       esac ;;
    r) stop_timer
       (
         trap 'kill -s KILL "$sleeper"; exit 0' USR2
         sleep "$value" <&- &
         sleeper=$!
         wait "$sleeper" && is_warden "$$" && kill -s USR1 "$$"
       ) <&- &
       timer=$! ;;
  esac
done
kill_all "$@"
stop_timer
exit 0
`
