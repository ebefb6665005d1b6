/**
 * A DAG that searches everything a step can read on its machine for secrets. That includes the environments, command
 * lines and open files of all processes, and the password of PostgreSQL in a data folder. It prints each find, and then
 * `done`.
 * @param marker a text that every secret contains
 */
export function spySpec(marker: string, dataDir: string): string {
  // A pattern that does not match itself: the processes of the step show it.
  const pattern = `${marker.slice(0, 1)}[${marker.slice(1, 2)}]${marker.slice(2)}`
  return `
steps:
  - name: look
    script: |
      grep -als '${pattern}' /proc/[0-9]*/environ /proc/[0-9]*/cmdline || true
      find -L /proc/[0-9]*/fd -maxdepth 1 -type f 2>/dev/null | xargs -r grep -als '${pattern}' || true
      for file in $(find '${dataDir}' -name password 2>/dev/null); do
        cat "$file" 2>/dev/null && echo ' password of PostgreSQL' || true
      done
      echo done
    output: FOUND
  - name: descriptors
    command: for file in /proc/self/fd/*; do echo \${file##*/}; done
`
}
