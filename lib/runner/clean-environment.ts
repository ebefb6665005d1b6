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
 * What steps inherit of the environment of the service (spec/behaviour.md 2.5): what a program needs to find its way on
 * the machine. Everything else stays here; settings and secrets of the service above all.
 */
export function cleanEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const clean: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || isServiceSetting(name)) continue
    if (names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))) clean[name] = value
  }
  return clean
}

/** True for the settings of the service, which no DAG may read, as a secret neither. */
export function isServiceSetting(name: string): boolean {
  return (
    name === 'DATABASE_URL' ||
    name.startsWith('MILLRACE_') ||
    name.startsWith('PG') ||
    name.startsWith('OTEL_EXPORTER_')
  )
}
