import { inheritedName } from '#lib/definition/values/inherited-name.ts'
import { isServiceSetting } from '#lib/definition/values/service-setting.ts'

/**
 * The variables of the service that steps inherit: those that programs commonly need, such as PATH. All others are
 * withheld, above all settings and secrets of the service.
 */
export function cleanEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const clean: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && isInherited(name)) clean[name] = value
  }
  return clean
}

/** Whether steps inherit a variable of the service. */
export function isInherited(name: string): boolean {
  return !isServiceSetting(name) && inheritedName(name)
}
