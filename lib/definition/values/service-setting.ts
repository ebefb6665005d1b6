/** What the settings of the service begin with (lib/config/settings/all.ts), and what its clients read besides. */
const settingPrefixes = ['MILLRACE_', 'DATABASE_URL', 'PG', 'AWS_', 'OTEL_', 'DOCKER_']

/**
 * True for settings of the service, whatever log store or engine it uses. No DAG may read them, not even as a secret:
 * they open the database, the logs of everybody, and the registries.
 */
export function isServiceSetting(name: string): boolean {
  return settingPrefixes.some((prefix) => name.startsWith(prefix))
}
