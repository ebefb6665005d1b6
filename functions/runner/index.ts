import { join } from 'node:path'
import type { Deps } from '#lib/app/compose.ts'
import type { Config } from '#lib/config/config.ts'
import type { ExecutorSettings } from '#lib/executors/executor.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { resolveShell } from '#lib/executors/shell/default-shell.ts'
import { exportTraces } from '#lib/telemetry/traces.ts'
import { secretsIn } from '#lib/config/settings/all.ts'
import { findExposures } from '#lib/privileges/ancestors.ts'
import { makeDataFolder, makeLogFolderPrivate, makeWorkFolder } from '#lib/privileges/private-folders.ts'
import { useStepUser } from '#lib/privileges/step-identity.ts'
import { resolveStepUser } from '#lib/privileges/step-user.ts'
import type { Log } from '#lib/telemetry/log.ts'
import { startRunner, type Runner } from '#lib/runner/start-runner.ts'

export interface RunnerStart {
  readonly deps: Deps
  /** The environment of the service. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Milliseconds after which the runner stops itself; default: the setting. */
  readonly budgetMs?: number
}

/**
 * Starts a runner with the given settings. It claims and executes runs until it is stopped or its budget is used up.
 * @throws Error when the configured step user or shell cannot be used
 */
export function run({ deps, environment, ...rest }: RunnerStart): Runner {
  const { config, db, logs, log } = deps
  const { fileRoots, shell, ...settings } = config.runner
  const workDir = join(config.dataDir, 'work')
  prepareSteps(config, workDir)
  if (config.runner.stepUser === undefined) warnOfExposures(environment, log)
  const fileBounds = boundsOf(fileRoots, [workDir, ...(config.dagsDir === undefined ? [] : [config.dagsDir])])
  return startRunner({
    db,
    logs,
    logBytesMax: config.logBytesMax,
    log,
    environment,
    ...settings,
    traces: config.traces && exportTraces(config.traces, log),
    ...rest,
    executors: { ...executorSettings(config, environment), fileBounds },
    fileBounds,
    leaseMs: config.leaseMs,
    dagsDir: config.dagsDir,
    shell: resolveShell(shell, environment['PATH']),
    workDir,
  })
}

/** The folders of MILLRACE_FILE_ROOTS, and those in which DAGs without a working directory run. */
function boundsOf(fileRoots: readonly string[] | undefined, defaults: readonly string[]): FileBound[] {
  if (fileRoots === undefined) return []
  return [{ folders: [...fileRoots, ...defaults], fault: 'is outside of the folders of MILLRACE_FILE_ROOTS' }]
}

/** Sets the user of steps, and creates the data, work and log folders. */
function prepareSteps({ runner, dataDir, logStore }: Config, workDir: string): void {
  useStepUser(runner.stepUser === undefined ? undefined : resolveStepUser(runner.stepUser))
  makeDataFolder(dataDir)
  makeWorkFolder(workDir)
  if (logStore.kind === 'file') makeLogFolderPrivate(logStore.folder)
}

/** Warns of ancestor processes that expose secrets to steps, which run as the same user. */
function warnOfExposures(environment: RunnerStart['environment'], log: Log): void {
  for (const { pid, program, settings } of findExposures(secretsIn(environment), 'ancestors')) {
    log.warn(
      { event: 'setting.exposed', shownBy: pid, program, settings },
      `process ${pid} (${program}) shows ${settings.join(', ')} to steps: set MILLRACE_STEP_USER, or start ` +
        'the service from a process that does not have them',
    )
  }
}

/** The settings of executors. The container engine is configured by its own standard variables, such as DOCKER_HOST. */
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
