const names = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TERM',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'SystemRoot',
  'ComSpec',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramData',
])
const prefixes = ['LC_', 'DAG_', 'DAGU_']

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
  if (isServiceSetting(name)) return false
  return names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
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
