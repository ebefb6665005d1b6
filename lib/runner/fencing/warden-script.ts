/**
 * The program of the warden, for any POSIX shell: about 1 MB of memory, and nothing to load. Its arguments are the mark
 * of the runner's processes in their environment, the folder for temporary files, two beginnings of the names that the
 * runner's folders have there, and the words that make a command run as the step user (a user that is not theirs may
 * not see their environment). It reads one order per line:
 *  + GROUP    kill this process group when the runner is gone
 *  - GROUP    this group has ended
 *  r SECONDS  the lease was renewed: kill everything unless another renewal follows within this time
 *
 * It kills everything, removes those folders and exits when its input ends (the kernel closes the pipe, however the
 * runner died), or when no renewal came in time (the runner is stopped, or cut off from the database), with exit status
 * 3. The timer is a sleeping child, because `read` of a POSIX shell has no timeout.
 */
export const wardenScript = `
mark=$1
temporary=$2
first=$3
second=$4
shift 4
groups=' '
timer=
# With the words for the step user: inside a function, "$@" is what the function was given.
kill_all() {
  # Before anything is killed: a runner that continues may make others meanwhile.
  folders=$(cd "$temporary" && echo "$first"* "$second"*)
  for group in $groups; do kill -s KILL -- "-$group"; done
  # What left its group (setsid) still carries the mark in its environment, where the system shows environments.
  for round in 1 2 3 4 5; do
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
# A timer may outlive a warden that was killed: the number of its process may be somebody else's by then.
is_warden() {
  [ ! -d /proc/self ] || grep -qsF -- "$mark" "/proc/$1/cmdline"
}
stop_timer() {
  if [ -n "$timer" ]; then
    # Not TERM: it is ignored here, and so it is in the timer until its trap stands.
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
