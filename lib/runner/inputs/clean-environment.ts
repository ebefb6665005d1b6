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
    if (value === undefined || isServiceSetting(name)) continue
    if (inheritedName(name)) clean[name] = value
  }
  return clean
}

/** True for settings of the service. No DAG may read them, not even as a secret. */
export function isServiceSetting(name: string): boolean {
  return (
    name === 'DATABASE_URL' ||
    name.startsWith('MILLRACE_') ||
    name.startsWith('PG') ||
    name.startsWith('OTEL_EXPORTER_')
  )
}
