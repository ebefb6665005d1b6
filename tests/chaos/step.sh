# The program of the steps of the chaos suite: notes its begin, beats and end in the ledger, and prints numbered lines.
# Appends of one short line are atomic and ordered, so the ledger needs no clock.
note() {
  printf '%s %s %s %s\n' "$1" "$DAG_RUN_ID" "$DAG_RUN_STEP_NAME" "$DAG_PROCESS_MARK" >> "$DAG_CHAOS_LEDGER"
}
beats=${2:-4}
note B
case $1 in
  flaky)
    # Fails on the first try.
    mkdir "$DAG_CHAOS_FOLDER/$DAG_RUN_ID.$DAG_RUN_STEP_NAME" 2> /dev/null && { note F; exit 75; } ;;
  orphans)
    trap '' TERM HUP INT
    setsid sh -c 'trap "" TERM HUP INT; sleep 300; :' > /dev/null 2>&1 &
    ( ( trap '' TERM HUP INT; sleep 300 > /dev/null 2>&1 & ) & ) ;;
esac
beat=0
while [ "$beat" -lt "$beats" ]; do
  beat=$((beat + 1))
  echo "line $DAG_PROCESS_MARK $beat"
  note T
  sleep "${3:-0.05}"
done
note E
echo "end $DAG_PROCESS_MARK $beats"
