import { statSync } from 'node:fs'
import { join } from 'node:path'
import { compose, type Part, type Deps } from '#lib/app/compose.ts'
import { readConfig, type Config, type Environment } from '#lib/config/config.ts'
import { secretSettings, settings } from '#lib/config/settings/all.ts'
import { messageOf } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { Closing, onSignal } from './closing.ts'
import { endProcess } from './end-process.ts'
import { noteProcess } from './note-process.ts'
import { lastLines, printError } from './print.ts'
import { isUndefined } from '#lib/db/errors.ts'
import { hideEnvironment } from '#lib/privileges/hide-environment.ts'
import { makeDataFolder } from '#lib/privileges/private-folders.ts'
import { sealProcess } from '#lib/privileges/seal-process.ts'
import { stepUser, useStepUser } from '#lib/privileges/step-identity.ts'
import { resolveStepUser, type StepUser } from '#lib/privileges/step-user.ts'
import { isInherited } from '#lib/runner/inputs/clean-environment.ts'
import { receiveEnvironment } from './hand-environment.mjs'
import { startPostgres, type EmbeddedPostgres } from './postgres/start-postgres.ts'

/** Context of a starting part. */
export interface Start {
  readonly deps: Deps
  /** The original environment; in `process.env`, secrets are hidden. */
  readonly environment: Environment
  /** URL of the configured Postgres, or of the embedded one. */
  readonly databaseUrl: string
  /** True when this process started the database, so no other process can be using it. */
  readonly isAlone: boolean
  readonly closing: Closing
  /** Reports an error and shuts down in order, with exit code 1. */
  readonly fail: (error: unknown) => void
  /** Registers a function to call on a second signal, which asks for an immediate end. */
  readonly onHurry: (kill: () => void) => void
}

/**
 * Runs one part of the service as a process: reads settings, opens the database and starts the part. Shuts down in
 * order when the part completes, fails or receives a signal. Never returns.
 * @param start resolves to 'done' when the work is complete, or to 'serving' when it continues until a signal
 */
export async function runPart(
  part: Part,
  start: (start: Start) => Promise<'done' | 'serving'>,
): Promise<never> {
  receiveEnvironment()
  const environment = { ...process.env }
  neverWaitForReaders(part)
  const config = await configOrExit(environment)
  hideSecrets()
  const closing = new Closing()
  const kills: (() => void)[] = []
  let ending: Promise<never> | undefined
  const end = (exitCode: number): Promise<never> =>
    (ending ??= closing.all(endWithinMs(config)).then(async (faults) => {
      for (const fault of faults) printError(`millrace ${part}: at the end, ${fault}`)
      await lastLines()
      return endProcess(faults.length > 0 ? 1 : exitCode)
    }))
  const fail = (error: unknown): void => {
    printError(`millrace ${part}: ${explain(error, config)}`)
    void end(1)
  }
  onSignal(
    () => void end(0),
    () => {
      for (const kill of kills) kill()
    },
  )
  try {
    if (part === 'server') useStepUser(stepUserOf(config))
    const database = config.databaseUrl === undefined ? await embedded(config, closing, fail) : undefined
    const databaseUrl = database?.url ?? config.databaseUrl ?? ''
    const deps = compose(config, part, databaseUrl)
    closing.add('database', () => deps.db.close())
    const isAlone = database?.adopted === false
    const outcome = await start({
      deps,
      environment,
      databaseUrl,
      isAlone,
      closing,
      fail,
      onHurry: (kill) => kills.push(kill),
    })
    if (outcome === 'done') await end(0)
    else noteProcess(deps, closing)
  } catch (error) {
    fail(error)
  }
  return await new Promise<never>(() => {})
}

/** Steps may run as the service's user, and could read its secrets in `/proc`. */
function hideSecrets(): void {
  const open = new Set(Object.keys(settings).filter((name) => !secretSettings.includes(name)))
  hideEnvironment(process.env, secretSettings, (name) => isInherited(name) || open.has(name))
  sealProcess()
}

/**
 * Time limit of an orderly shutdown: the configured drain and grace times, plus time to close connections and stop
 * Postgres.
 */
function endWithinMs({ drainMs, runner }: Config): number {
  return drainMs + runner.graceMs + limits.endMsMax
}

/** Node itself writes warnings and fatal errors synchronously, and would block on a stalled reader. */
function neverWaitForReaders(part: Part): void {
  // Node has no listener when the user disabled warnings.
  if (process.listenerCount('warning') > 0) {
    process.removeAllListeners('warning')
    process.on('warning', ({ name, message }) => printError(`millrace ${part}: ${name}: ${message}`))
  }
  process.on('uncaughtException', (error) => {
    printError(`millrace ${part}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    endProcess(1)
  })
}

/** Only validated in the server; its runner uses it. */
function stepUserOf({ runner }: Config): StepUser | undefined {
  return runner.stepUser === undefined ? undefined : resolveStepUser(runner.stepUser)
}

async function configOrExit(environment: Environment): Promise<Config> {
  try {
    return readConfig(environment)
  } catch (error) {
    printError(`millrace: ${messageOf(error)}`)
    await lastLines()
    return endProcess(2)
  }
}

async function embedded(
  config: Config,
  closing: Closing,
  onLost: (error: Error) => void,
): Promise<EmbeddedPostgres> {
  makeDataFolder(config.dataDir)
  const postgres = await startPostgres({ folder: config.dataDir, durable: true, onLost })
  closing.add('embedded Postgres', () => postgres.close())
  const { uid } = statSync(join(config.dataDir, 'postgres'))
  if (uid === stepUser()?.uid) {
    throw new Error(
      `MILLRACE_STEP_USER=${config.runner.stepUser}: the embedded PostgreSQL runs as this user, and its ` +
        'password is to be kept from steps; name another',
    )
  }
  return postgres
}

/** The message and that of its cause; the stack instead at log level debug. */
function explain(error: unknown, config: Config): string {
  if (!(error instanceof Error)) return String(error)
  if (config.logLevel === 'debug') return error.stack ?? error.message
  const text =
    error.cause instanceof Error && !error.message.includes(error.cause.message)
      ? `${error.message}: ${error.cause.message}`
      : error.message
  return isUndefined(error) ? `${text}; is the database up to date? (millrace migrate)` : text
}
