/** Linux refuses to start a process with a variable over 128 KiB, or with an environment over about 2 MiB. */
const variableBytesMax = 131_000
const environmentBytesMax = 1_500_000

/**
 * Makes the environment of a process from variables. Omits names with `=`, values that are too long, and the longest
 * values until the rest fits. NUL characters are removed.
 */
export function processEnvironment(variables: Iterable<readonly [string, string]>): Record<string, string> {
  const environment: Record<string, string> = {}
  const bytes = new Map<string, number>()
  let total = 0
  for (const [name, value] of variables) {
    if (name === '' || /[=\0]/.test(name)) continue
    const text = value.includes('\0') ? value.replaceAll('\0', '') : value
    const size = Buffer.byteLength(name) + Buffer.byteLength(text) + 2
    if (size > variableBytesMax) {
      delete environment[name]
      continue
    }
    total += size - (bytes.get(name) ?? 0)
    bytes.set(name, size)
    environment[name] = text
  }
  if (total > environmentBytesMax) dropLongest(environment, bytes, total - environmentBytesMax)
  return environment
}

function dropLongest(environment: Record<string, string>, bytes: Map<string, number>, excess: number): void {
  let left = excess
  for (const [name, size] of [...bytes].sort((a, b) => b[1] - a[1])) {
    if (left <= 0) return
    delete environment[name]
    left -= size
  }
}
