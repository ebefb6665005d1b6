import { inheritedName } from '#lib/definition/values/inherited-name.ts'

/**
 * The part of the service's environment that steps inherit (spec/behaviour.md 2.5): what a program needs to find its
 * way on the machine. Everything else is withheld, above all settings and secrets of the service.
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

/** What the settings of the service begin with (lib/config/env.ts), and what its clients read besides. */
const settingPrefixes = ['MILLRACE_', 'DATABASE_URL', 'PG', 'AWS_', 'OTEL_', 'DOCKER_']

/**
 * True for settings of the service, whatever log store or engine it uses. No DAG may read them, not even as a secret:
 * they open the database, the logs of everybody, and the registries.
 */
export function isServiceSetting(name: string): boolean {
  return settingPrefixes.some((prefix) => name.startsWith(prefix))
}
