/**
 * Milliseconds of processor time since this was called: what a hostile text takes, whatever else the machine does.
 * @example const spent = cpuTime(); work(); spent()
 */
export function cpuTime(): () => number {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1_000
  }
}
