import { join } from 'node:path'
import type { Parts } from '#lib/app/compose.ts'
import { startRunner, type Runner } from '#lib/runner/start-runner.ts'

export interface RunnerStart {
  readonly parts: Parts
  /** The environment of the service. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The runner ends by itself after so long. */
  readonly budgetMs?: number
}

/** A runner as the settings want it: claims and executes runs until it is stopped, or until its time is up. */
export function run({ parts, environment, budgetMs }: RunnerStart): Runner {
  const { config, db, logs, log } = parts
  return startRunner({
    db,
    logs,
    log,
    environment,
    ...config.runner,
    leaseMs: config.leaseMs,
    dagsDir: config.dagsDir,
    workDir: join(config.dataDir, 'work'),
    ...(budgetMs !== undefined && { budgetMs }),
  })
}
