/**
 * Measures CPU time since this call, in milliseconds, which other load on the machine does not affect.
 * @example const spent = cpuTime(); work(); spent()
 */
export function cpuTime(): () => number {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1_000
  }
}
