import { findingOf, type NamedFinding, type ServiceView } from './check.ts'
import { dagFolderCheck } from './dag-folder.ts'
import { clockCheck, databaseCheck } from './database.ts'
import { listenCheck } from './listen.ts'
import { logStoreCheck } from './log-store.ts'
import { migrationsCheck } from './migrations.ts'
import { invariantsCheck, runnersCheck, tickCheck } from './service.ts'
import { settingsCheck } from './settings.ts'
import { sharedSettingsCheck } from './shared-settings.ts'

/** The checks that a process of the service can run itself, in display order. */
const checks = [
  settingsCheck,
  databaseCheck,
  clockCheck,
  listenCheck,
  migrationsCheck,
  sharedSettingsCheck,
  dagFolderCheck,
  logStoreCheck,
  tickCheck,
  runnersCheck,
  invariantsCheck,
] as const

/** Shorter than the response timeout of the API. */
const checkMsMax = 6_000

/** Examines the service from within one of its processes, all checks at once. Starts and changes nothing. */
export async function examineService(on: ServiceView): Promise<NamedFinding[]> {
  const found = await Promise.all(checks.map((check) => findingOf(check, on, checkMsMax)))
  return found.map(({ isLast: _isLast, ...finding }) => finding)
}
