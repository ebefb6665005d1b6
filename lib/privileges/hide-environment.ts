import { hideFromLaunchers } from './ancestors.ts'
import { overwriteValues } from './environment-block.ts'

/**
 * Overwrites the environment that this process, and npm above it, show in `/proc`, except for variables that anybody may
 * see. In `process.env`, secrets are hidden as well, so read them before; everything else keeps its value there. Does
 * nothing on systems other than Linux.
 * @returns whether the values of this process are hidden
 */
export function hideEnvironment(
  secrets: readonly string[],
  isPublic: (name: string) => boolean = () => true,
): boolean {
  if (process.platform !== 'linux') return false
  const before = { ...process.env }
  const isHidden = (name: string): boolean => secrets.includes(name) || !isPublic(name)
  hideFromLaunchers(isHidden)
  try {
    overwriteValues('self', isHidden)
  } catch {
    return false
  }
  for (const [name, value] of Object.entries(before)) {
    if (isHidden(name)) process.env[name] = secrets.includes(name) ? 'x'.repeat(value?.length ?? 0) : value
  }
  return true
}
