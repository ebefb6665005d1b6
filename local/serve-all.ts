import { fileURLToPath } from 'node:url'
import { keepTicking, tickOf } from '#functions/tick/index.ts'
import { applySettings } from '#lib/app/apply-settings.ts'
import { logStoreUrl } from '#lib/config/log-store-location.ts'
import { limits } from '#lib/core/limits.ts'
import { migrate } from '#lib/db/migrate.ts'
import { resolveShell } from '#lib/executors/shell/default-shell.ts'
import { expireLeases } from '#lib/runs/claim/expire-leases.ts'
import { freeFolder, forgetFolder } from '#lib/dag-folder/folder-holder.ts'
import { keepSyncing } from '#lib/dag-folder/keep-syncing.ts'
import { loadExamples } from './load-examples.ts'
import { printError } from './print.ts'
import type { Start } from './run-part.ts'
import { superviseRunner } from './runner-process.ts'
import { serveApi } from './serve-api.ts'

const examples = fileURLToPath(new URL('dags', import.meta.url))
const tickEveryMs = 2_000

/** Serves the API, ticks and runs a runner, until the process ends. */
export async function serveAll({
  deps,
  environment,
  databaseUrl,
  isAlone,
  closing,
  onHurry,
}: Start): Promise<'serving'> {
  const { config, db, log } = deps
  // Its runner would start again and again to say so.
  resolveShell(config.runner.shell, environment['PATH'])
  await migrate(db)
  if (isAlone) {
    await expireLeases(db)
    await freeFolder(db)
  }
  await applySettings(deps, 'all')
  if (config.dagsDir === undefined) {
    await forgetFolder(db)
    await loadExamples(deps, examples)
  } else {
    const sync = await keepSyncing(deps, config.dagsDir)
    closing.add('DAG folder', () => sync.stop())
  }
  const runner = superviseRunner(
    { ...environment, DATABASE_URL: databaseUrl, MILLRACE_LOG_STORE: logStoreUrl(config.logStore) },
    log,
    config.runner.graceMs + limits.endMsMax / 2,
  )
  closing.add('runner', () => runner.stop())
  onHurry(() => {
    runner.kill()
  })
  const ticking = keepTicking(tickOf(deps), tickEveryMs)
  closing.add('tick', () => ticking.stop())
  const api = await serveApi(deps)
  closing.add('API', () => api.close())
  printError(
    `Millrace listens on ${api.url}  (API: ${api.url}/api/v2, data: ${config.dataDir}; stop with Ctrl-C)`,
  )
  return 'serving'
}
