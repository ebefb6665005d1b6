import { readConfig, type Config, type Environment } from '#lib/config/config.ts'
import { messageOf } from '#lib/core/errors.ts'
import { doctorHelp } from '#lib/core/help-pages.ts'
import { connect } from '#lib/db/client.ts'
import { runningUrl } from '../../postgres/running-url.ts'
import { fail, ok, warn, type Check, type Deployment, type Finding } from './check.ts'
import { listenCheck, poolerCheck } from './connections.ts'
import { dagFolderCheck } from './dag-folder.ts'
import { clockCheck, databaseCheck } from './database.ts'
import { engineCheck } from './engine.ts'
import { logStoreCheck } from './log-store.ts'
import { migrationsCheck } from './migrations.ts'
import { invariantsCheck, runnersCheck, tickCheck } from './service.ts'
import { shellCheck, spawnCheck } from './processes.ts'
import { sharedSettingsCheck } from './shared-settings.ts'
import { stepsCheck } from './steps.ts'

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

export type NamedFinding = { readonly check: string } & Omit<Finding, 'isLast'>

/**
 * Examines a deployment by its settings, one check after the other. Starts and changes nothing. What is not in order
 * names the page of the docs that explains it.
 */
export async function* examine(environment: Environment): AsyncGenerator<NamedFinding> {
  for await (const finding of findAll(environment)) {
    const page = finding.level === 'ok' ? undefined : doctorHelp[finding.check]
    yield page === undefined ? finding : { ...finding, help: `/docs/${page}` }
  }
}

async function* findAll(environment: Environment): AsyncGenerator<NamedFinding> {
  const { config, finding } = readSettings(environment)
  yield { check: 'settings', ...finding }
  if (config === undefined) return
  for (const check of [engineCheck, stepsCheck, shellCheck, spawnCheck]) {
    const { isLast: _, ...finding } = await named(check, { config, environment })
    yield finding
  }
  const databaseUrl = config.databaseUrl ?? runningUrl(config.dataDir)
  if (databaseUrl === undefined) {
    const text = `the embedded PostgreSQL of ${config.dataDir} does not run`
    yield { check: 'database', ...fail(text, 'start millrace up, or set DATABASE_URL') }
    return
  }
  const db = connect(databaseUrl, {
    max: 2,
    applicationName: 'millrace-doctor',
    // There may be a pooler that the settings do not mention.
    prepare: false,
    directUrl: config.databaseDirectUrl ?? (config.databasePooled ? undefined : databaseUrl),
  })
  try {
    for (const check of checks) {
      const { isLast, ...finding } = await named(check, { config, environment, databaseUrl, db })
      yield finding
      if (isLast) return
    }
  } finally {
    await db.close()
  }
}

function readSettings(environment: Environment): { config?: Config; finding: Finding } {
  try {
    const config = readConfig(environment)
    const { warnings } = config
    if (warnings.length === 0) return { config, finding: ok('understood') }
    return { config, finding: warn(warnings.join('; '), 'remove or correct what is not understood') }
  } catch (error) {
    return { finding: fail(messageOf(error), 'see the settings in docs/settings.md') }
  }
}

async function named<On>({ name, find }: Check<On>, on: On): Promise<{ check: string } & Finding> {
  const late = Promise.withResolvers<Finding>()
  const timer = setTimeout(
    () =>
      late.resolve({
        ...fail(`no answer within ${checkMsMax / 1000} s`, 'see whether it hangs'),
        isLast: true,
      }),
    checkMsMax,
  )
  try {
    return { check: name, ...(await Promise.race([find(on), late.promise])) }
  } catch (error) {
    return { check: name, ...fail(messageOf(error), 'see the message') }
  } finally {
    clearTimeout(timer)
  }
}
