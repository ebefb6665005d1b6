import { readConfig, type Config, type Environment } from '#lib/config/config.ts'
import { messageOf } from '#lib/core/errors.ts'
import { doctorHelp } from '#lib/core/help-pages.ts'
import { connect } from '#lib/db/client.ts'
import { runningUrl } from '../../postgres/running-url.ts'
import { overruledSettings } from '#lib/app/apply-settings.ts'
import { fail, findingOf, type Check, type Finding, type NamedFinding } from '#lib/doctor/check.ts'
import type { ServiceView } from '#lib/doctor/check.ts'
import { dagFolderCheck } from '#lib/doctor/dag-folder.ts'
import { clockCheck, databaseCheck } from '#lib/doctor/database.ts'
import { listenCheck } from '#lib/doctor/listen.ts'
import { logStoreCheck } from '#lib/doctor/log-store.ts'
import { migrationsCheck } from '#lib/doctor/migrations.ts'
import { invariantsCheck, runnersCheck, tickCheck } from '#lib/doctor/service.ts'
import { settingsCheck } from '#lib/doctor/settings.ts'
import { sharedSettingsCheck } from '#lib/doctor/shared-settings.ts'
import { engineCheck } from './engine.ts'
import type { Machine } from './machine.ts'
import { poolerCheck } from './pooler.ts'
import { shellCheck, spawnCheck } from './processes.ts'
import { stepsCheck } from './steps.ts'

type Deployment = Machine & ServiceView & { readonly config: Config; readonly databaseUrl: string }

/** In order: each check may rely on those before it. */
const checks: readonly Check<Deployment>[] = [
  databaseCheck,
  clockCheck,
  poolerCheck,
  listenCheck,
  migrationsCheck,
  sharedSettingsCheck,
  dagFolderCheck,
  logStoreCheck,
  tickCheck,
  runnersCheck,
  invariantsCheck,
]

const checkMsMax = 10_000

/**
 * Checks a deployment described by its settings, one check after the other. Starts and changes nothing. Each finding
 * that is not `ok` names the docs page that explains it.
 */
export async function* examine(environment: Environment): AsyncGenerator<NamedFinding> {
  for await (const finding of findAll(environment)) {
    const page = finding.level === 'ok' ? undefined : doctorHelp[finding.check]
    yield page === undefined ? finding : { ...finding, help: `/docs/${page}` }
  }
}

async function* findAll(environment: Environment): AsyncGenerator<NamedFinding> {
  const { config, fault } = readSettings(environment)
  if (config === undefined) {
    yield { check: 'settings', ...fault }
    return
  }
  yield await findingOf(settingsCheck, { config }, checkMsMax)
  for (const check of [engineCheck, stepsCheck, shellCheck, spawnCheck]) {
    const { isLast: _, ...finding } = await findingOf(check, { config, environment }, checkMsMax)
    yield finding
  }
  const databaseUrl = config.databaseUrl ?? runningUrl(config.dataDir)
  if (databaseUrl === undefined) {
    const text = `the embedded PostgreSQL of ${config.dataDir} is not running`
    yield { check: 'database', ...fail(text, 'start millrace up, or set DATABASE_URL') }
    return
  }
  const db = connect(databaseUrl, {
    max: 2,
    applicationName: 'millrace-doctor',
    // There may be a pooler that the settings omit.
    prepare: false,
    directUrl: config.databaseDirectUrl ?? (config.databasePooled ? undefined : databaseUrl),
  })
  const overruled = () => overruledSettings(db, config)
  const deployment = { config, environment, databaseUrl, db, overruled }
  try {
    for (const check of checks) {
      const { isLast, ...finding } = await findingOf(check, deployment, checkMsMax)
      yield finding
      if (isLast) return
    }
  } finally {
    await db.close()
  }
}

function readSettings(
  environment: Environment,
): { readonly config: Config; readonly fault?: undefined } | { readonly config?: undefined; fault: Finding } {
  try {
    return { config: readConfig(environment) }
  } catch (error) {
    return { fault: fail(messageOf(error), 'see the settings in docs/settings.md') }
  }
}
