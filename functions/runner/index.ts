import { join } from 'node:path'
import type { Parts } from '#lib/app/compose.ts'
import type { Config } from '#lib/config/config.ts'
import type { ExecutorSettings } from '#lib/executors/executor.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { exportTraces } from '#lib/telemetry/traces.ts'
import { startRunner, type Runner } from '#lib/runner/start-runner.ts'

export interface RunnerStart {
  readonly parts: Parts
  /** The environment of the service. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Milliseconds after which the runner ends by itself; default: the setting. */
  readonly budgetMs?: number
}

/** Starts a runner by the settings. It claims and executes runs until it is stopped, or its budget is used up. */
export function run({ parts, environment, ...rest }: RunnerStart): Runner {
  const { config, db, logs, log } = parts
  const { fileRoots, ...settings } = config.runner
  const workDir = join(config.dataDir, 'work')
  const fileBounds = boundsOf(fileRoots, [workDir, ...(config.dagsDir === undefined ? [] : [config.dagsDir])])
  return startRunner({
    db,
    logs,
    log,
    environment,
    ...settings,
    traces: config.traces && exportTraces(config.traces, log),
    ...rest,
    executors: { ...executorSettings(config, environment), fileBounds },
    fileBounds,
    leaseMs: config.leaseMs,
    dagsDir: config.dagsDir,
    workDir,
  })
}

/** The folders of the deployment in which DAGs without a working directory run are always allowed. */
function boundsOf(fileRoots: readonly string[] | undefined, usual: readonly string[]): FileBound[] {
  if (fileRoots === undefined) return []
  return [{ folders: [...fileRoots, ...usual], fault: 'is outside of the folders of MILLRACE_FILE_ROOTS' }]
}

/** The container engine is configured by its own standard variables. */
export function executorSettings(
  { runner }: Config,
  environment: RunnerStart['environment'],
): ExecutorSettings {
  const { containerAllow: allow, ...others } = runner.executors
  const docker = {
    allow,
    host: environment['DOCKER_HOST'],
    certPath: environment['DOCKER_CERT_PATH'],
    authConfig: environment['DOCKER_AUTH_CONFIG'],
  }
  return { ...others, docker }
}
