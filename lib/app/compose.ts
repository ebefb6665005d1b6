import type { Config } from '#lib/config/config.ts'
import type { LogStoreLocation } from '#lib/config/log-store-location.ts'
import { limits } from '#lib/core/limits.ts'
import type { DagDefaults } from '#lib/dags/dag-columns.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'
import { connect, type Database } from '#lib/db/client.ts'
import { readSmallFile } from '#lib/files/read-small-file.ts'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import { createPostgresLogStore } from '#lib/logs/postgres-log-store.ts'
import { openBucket } from '#lib/logs/s3-bucket.ts'
import { createS3LogStore } from '#lib/logs/s3-log-store.ts'
import { createLog, type Log } from '#lib/telemetry/log.ts'

export type Part =
  | 'server'
  | 'api'
  | 'tick'
  | 'runner'
  | 'migrate'
  | 'keys'
  | 'doctor'
  | 'backup'
  | 'restore'
  | 'move-logs'

/** Dependencies of a part of the service, created once per process. */
export interface Deps {
  readonly part: Part
  readonly config: Config
  readonly db: Database
  readonly logs: LogStore
  readonly log: Log
  readonly defaults: DagDefaults
}

/** Maximum number of database connections of a part, unless the settings say otherwise. */
const usual: Readonly<Record<Part, number>> = {
  server: 3,
  api: 16,
  tick: 2,
  runner: 3,
  migrate: 1,
  keys: 2,
  doctor: 2,
  backup: 1,
  restore: 1,
  'move-logs': 2,
}

/**
 * Chooses the implementations, here and nowhere else: the database behind the URL, and the log store of the settings.
 * @param databaseUrl from the settings, or of the embedded Postgres
 */
export function compose(
  config: Config,
  part: Part,
  databaseUrl: string,
  { connections = usual[part], ...pool }: { readonly connections?: number; readonly idleSec?: number } = {},
): Deps {
  const log = createLog({ level: config.logLevel, part, people: readersOf(config) })
  for (const warning of config.warnings) log.warn({ event: 'setting.ignored' }, warning)
  const db = connect(databaseUrl, {
    max: config.databaseConnections ?? connections,
    applicationName: `millrace-${part}`,
    statementMs: limits.statementMsMax,
    prepare: !config.databasePooled,
    directUrl: config.databaseDirectUrl,
    ...pool,
  })
  const logs = openLogStore(db, config.logStore, (error) =>
    log.warn({ event: 'log.kept-back', error }, 'the bucket of logs did not do what was asked'),
  )
  return { part, config, db, logs, log, defaults: defaultsOf(config) }
}

/** Human-readable format of the service log; undefined for JSON. */
function readersOf({ logFormat }: Config): { readonly isColoured: boolean } | undefined {
  const { stdout } = process
  if (logFormat === 'json' || (logFormat === 'auto' && !stdout.isTTY)) return undefined
  return { isColoured: stdout.isTTY && stdout.hasColors() }
}

/** @param onFailure called when a bucket did not take a part of a log (it stays in Postgres), or did not delete one */
export function openLogStore(
  db: Database,
  location: LogStoreLocation,
  onFailure?: (error: unknown) => void,
): LogStore {
  if (location.kind === 'file') return createFileLogStore(location.folder)
  if (location.kind === 'postgres') return createPostgresLogStore(db)
  return createS3LogStore(db, openBucket(location), onFailure)
}

/** @throws Error when the base configuration cannot be read, or has faults */
export function defaultsOf({ baseConfigFile, zone }: Config): DagDefaults {
  if (baseConfigFile === undefined) return { zone }
  const base = readBase(baseConfigFile)
  const { problems } = readSpec('steps:\n  - echo\n', { fileName: 'base', base })
  if (problems.length > 0) {
    throw new Error(`MILLRACE_BASE_CONFIG=${baseConfigFile}: ${problems.map(formatProblem).join('; ')}`)
  }
  return { base, zone }
}

function readBase(file: string): string {
  try {
    return readSmallFile(file, { what: 'MILLRACE_BASE_CONFIG', bytesMax: limits.specBytesMax }).toString(
      'utf8',
    )
  } catch (cause) {
    throw new Error(`MILLRACE_BASE_CONFIG=${file}: the file cannot be read`, { cause })
  }
}
