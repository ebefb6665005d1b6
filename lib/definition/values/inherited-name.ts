const names = new Set(
  (
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM TMPDIR TMP TEMP LD_LIBRARY_PATH DYLD_LIBRARY_PATH ' +
    'SSL_CERT_FILE SSL_CERT_DIR SystemRoot ComSpec PATHEXT USERPROFILE APPDATA LOCALAPPDATA ProgramData'
  ).split(' '),
)
const prefixes = ['LC_', 'DAG_', 'DAGU_']

/**
 * Whether steps inherit the variable from the environment of the service: what a program needs
 * to find its way on the machine.
 */
export function inheritedName(name: string): boolean {
  return names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
}
