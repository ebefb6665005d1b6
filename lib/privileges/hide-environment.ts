import { hideFromLaunchers } from './ancestors.ts'
import { overwriteValues } from './environment-block.ts'

/**
 * Overwrites the environment that this process, and npm above it, show in `/proc`, except for variables that
 * anybody may see. Does nothing on systems other than Linux.
 * @param environment `process.env`: secrets are hidden there as well, so read them before; everything else keeps its
 *   value
 * @returns whether the values of this process are hidden
 */
export function hideEnvironment(
  environment: Record<string, string | undefined>,
  secrets: readonly string[],
  isPublic: (name: string) => boolean = () => true,
): boolean {
  if (process.platform !== 'linux') return false
  const before = { ...environment }
  const isHidden = (name: string): boolean => secrets.includes(name) || !isPublic(name)
  if (environment['npm_lifecycle_event'] !== undefined) hideFromLaunchers(isHidden)
  try {
    overwriteValues('self', isHidden)
  } catch {
    return false
  }
  for (const [name, value] of Object.entries(before)) {
    if (isHidden(name)) environment[name] = secrets.includes(name) ? 'x'.repeat(value?.length ?? 0) : value
  }
  return true
}
