import { hideFromLaunchers } from './ancestors.ts'
import { overwriteValues } from './environment-block.ts'

/**
 * Overwrites the environment that this process and its npm parents show in `/proc`, except for variables that anyone
 * may see. Does nothing on systems other than Linux.
 * @param environment `process.env`: secrets are hidden there too, so read them first; other variables keep their values
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
