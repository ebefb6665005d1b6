import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { messageOf } from '#lib/core/errors.ts'
import { nearestName } from '#lib/core/nearest-name.ts'
import type { LabelSet } from '#lib/core/status.ts'
import { bucketCredentials } from './bucket-credentials.ts'
import { credentialFaults, tlsFaults } from './check-credentials.ts'
import { logStoreLocation, type LogStoreLocation } from './log-store-location.ts'
import { settings, type SettingName, type SettingValues } from './settings/all.ts'
import { shownSettings, type ShownSetting } from './settings/shown.ts'
import { systemZone } from './system-zone.ts'

/** The validated settings, in the units of the code: milliseconds, absolute paths. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly dagsDir: string | undefined
  /** Undefined: the embedded Postgres below `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly databasePooled: boolean
  readonly databaseDirectUrl: string | undefined
  /** Undefined: the default of the part. */
  readonly databaseConnections: number | undefined
  readonly logStore: LogStoreLocation
  /** Size of one log stream of a step. */
  readonly logBytesMax: number
  readonly runner: {
    readonly slots: number
    readonly labels: Readonly<Record<string, string>>
    readonly graceMs: number
    /** Undefined: the runner does not end by itself. */
    readonly budgetMs: number | undefined
    /** Where files and working directories of DAGs must be; undefined: anywhere. */
    readonly fileRoots: readonly string[] | undefined
    /** A name, a uid, or uid:gid; undefined: steps run as the user of the runner. */
    readonly stepUser: string | undefined
    /** Shell of steps that name none: an absolute path, or the name of a program. */
    readonly shell: string
    /** Rights of steps; see ExecutorSettings. */
    readonly executors: {
      readonly httpAllow: readonly string[]
      readonly jqPath: string | undefined
      readonly containerAllow: readonly ('privileged' | 'root' | 'socket')[]
    }
  }
  readonly leaseMs: number
  /** How long the API keeps serving calls after a request to shut down. */
  readonly drainMs: number
  /** OTLP collector; undefined: tracing is off. */
  readonly traces:
    | {
        readonly endpoint: string
        readonly headers: Readonly<Record<string, string>>
        readonly serviceName: string
      }
    | undefined
  readonly logFormat: 'auto' | 'json' | 'text'
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly statusLabels: LabelSet
  /** IANA name. */
  readonly zone: string
  readonly baseConfigFile: string | undefined
  /** Names of the settings in the environment, empty ones included. */
  readonly given: readonly string[]
  readonly remoteNodesFile: string | undefined
  readonly auth: {
    readonly basic: { readonly username: string; readonly password: string } | undefined
    readonly token: string | undefined
    readonly tickToken: string | undefined
  }
  /** Host names, in canonical form, that the API accepts; `*`: any. */
  readonly allowedHosts: readonly string[]
  /** Addresses of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  /** Number of versions kept per DAG. */
  readonly dagVersions: number
  readonly queues: readonly { readonly name: string; readonly maxConcurrency: number }[]
  /** The settings as admins see them, without secrets. */
  readonly shown: readonly ShownSetting[]
  /** Problems that do not prevent the start, one sentence each. */
  readonly warnings: readonly string[]
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads all settings. An empty variable counts as not set.
 * @throws Error whose message lists every fault: variable, value, and what would be valid
 */
export function readConfig(environment: Environment, workingFolder = process.cwd()): Config {
  const faults = tlsFaults(environment)
  const values = readValues(environment, faults)
  checkTogether(values, faults)
  if (faults.length > 0) {
    throw new Error(
      `${faults.length === 1 ? 'a setting is' : 'settings are'} wrong:\n  ${faults.join('\n  ')}`,
    )
  }
  const path = (given: string | undefined): string | undefined => given && resolve(workingFolder, given)
  const dataDir = resolve(workingFolder, values.MILLRACE_DATA_DIR ?? settings.MILLRACE_DATA_DIR.default)
  return deepFreeze({
    host: (values.MILLRACE_HOST ?? '').replace(/^\[(.*)\]$/, '$1'),
    port: values.MILLRACE_PORT ?? 0,
    dataDir,
    dagsDir: path(values.MILLRACE_DAGS_DIR),
    databaseUrl: values.DATABASE_URL,
    databasePooled: values.MILLRACE_DATABASE_POOLED ?? false,
    databaseDirectUrl: values.MILLRACE_DATABASE_DIRECT_URL,
    databaseConnections: values.MILLRACE_DATABASE_CONNECTIONS,
    logStore: logStoreOf(values, dataDir, workingFolder),
    logBytesMax: (values.MILLRACE_LOG_MAX_MB ?? 0) * 1_048_576,
    runner: {
      slots: values.MILLRACE_RUNNER_SLOTS ?? 1,
      labels: Object.fromEntries(values.MILLRACE_RUNNER_LABELS ?? []),
      graceMs: (values.MILLRACE_RUNNER_GRACE_S ?? 0) * 1000,
      budgetMs: values.MILLRACE_RUNNER_BUDGET_S && values.MILLRACE_RUNNER_BUDGET_S * 1000,
      fileRoots: values.MILLRACE_FILE_ROOTS,
      stepUser: values.MILLRACE_STEP_USER,
      shell: values.MILLRACE_SHELL ?? settings.MILLRACE_SHELL.default,
      executors: {
        httpAllow: values.MILLRACE_HTTP_ALLOW ?? [],
        jqPath: path(values.MILLRACE_JQ_PATH),
        containerAllow: values.MILLRACE_CONTAINER_ALLOW ?? [],
      },
    },
    drainMs: (values.MILLRACE_DRAIN_S ?? 0) * 1000,
    leaseMs: (values.MILLRACE_LEASE_S ?? 0) * 1000,
    traces: tracesOf(values),
    logLevel: values.MILLRACE_LOG_LEVEL ?? 'info',
    statusLabels: values.MILLRACE_STATUS_LABELS ?? 'documented',
    logFormat: values.MILLRACE_LOG_FORMAT ?? 'auto',
    zone: values.MILLRACE_TZ ?? systemZone(),
    baseConfigFile: path(values.MILLRACE_BASE_CONFIG),
    given: Object.keys(settings).filter((name) => environment[name] !== undefined),
    remoteNodesFile: path(values.MILLRACE_REMOTE_NODES),
    auth: authOf(values),
    allowedHosts: values.MILLRACE_ALLOWED_HOSTS ?? [],
    trustedProxies: values.MILLRACE_TRUSTED_PROXIES ?? [],
    dagVersions: values.MILLRACE_DAG_VERSIONS ?? 100,
    queues: (values.MILLRACE_QUEUES ?? []).map(([name, limit]) => ({ name, maxConcurrency: Number(limit) })),
    shown: shownSettings(environment),
    warnings: [...unknownSettings(environment), ...unreachable(values)],
  })
}

function readValues(environment: Environment, faults: string[]): SettingValues {
  const values: Partial<Record<SettingName, unknown>> = {}
  for (const [name, { schema, default: fallback, privacy }] of Object.entries(settings)) {
    const given = environment[name]
    const text = given === undefined || given.trim() === '' ? undefined : given
    if (text === undefined && fallback.startsWith('[')) continue
    const reading = v.safeParse(schema, text ?? fallback)
    if (reading.success) values[name as SettingName] = reading.output
    else
      faults.push(
        `${name}=${privacy === 'secret' ? '…' : JSON.stringify(text)}: ${reading.issues[0].message}`,
      )
  }
  return values as SettingValues
}

function checkTogether(values: SettingValues, faults: string[]): void {
  faults.push(...credentialFaults(values))
  try {
    if (values.MILLRACE_LOG_STORE?.startsWith('s3:') === true) bucketCredentials(values)
  } catch (error) {
    faults.push(messageOf(error))
  }
  const open = values.MILLRACE_AUTH_BASIC_USERNAME === undefined && values.MILLRACE_AUTH_TOKEN === undefined
  const host = values.MILLRACE_HOST
  if (open && host !== undefined && !isLoopback(host) && values.MILLRACE_ALLOW_ANONYMOUS !== true) {
    faults.push(
      `MILLRACE_HOST=${JSON.stringify(host)}: reaches beyond this machine, and anybody may use the API; set ` +
        'MILLRACE_AUTH_TOKEN, or a user name and password, or MILLRACE_ALLOW_ANONYMOUS=true',
    )
  }
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}

function logStoreOf(values: SettingValues, dataDir: string, workingFolder: string): LogStoreLocation {
  const given = values.MILLRACE_LOG_STORE
  if (given !== undefined) return logStoreLocation(given, workingFolder, values)
  return values.DATABASE_URL === undefined
    ? { kind: 'file', folder: resolve(dataDir, 'logs') }
    : { kind: 'postgres' }
}

function tracesOf(values: SettingValues): Config['traces'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = [] } = values
  if (endpoint === undefined) return undefined
  const serviceName = values.OTEL_SERVICE_NAME ?? settings.OTEL_SERVICE_NAME.default
  return { endpoint, headers: Object.fromEntries(headers), serviceName }
}

function authOf(values: SettingValues): Config['auth'] {
  const { MILLRACE_AUTH_BASIC_USERNAME: username, MILLRACE_AUTH_BASIC_PASSWORD: password } = values
  const basic = username === undefined || password === undefined ? undefined : { username, password }
  return { basic, token: values.MILLRACE_AUTH_TOKEN, tickToken: values.MILLRACE_TICK_TOKEN }
}

/** Warns when an API without credentials listens beyond loopback but accepts only loopback host names. */
function unreachable(values: SettingValues): string[] {
  const { MILLRACE_HOST: host = '', MILLRACE_ALLOWED_HOSTS: allowed = [] } = values
  const { basic, token } = authOf(values)
  if (basic !== undefined || token !== undefined || isLoopback(host) || allowed.length > 0) return []
  return [
    `MILLRACE_HOST=${JSON.stringify(host)}: without credentials the API answers to loopback names only; set ` +
      'MILLRACE_ALLOWED_HOSTS to the names under which it is called',
  ]
}

function unknownSettings(environment: Environment): string[] {
  const known = Object.keys(settings)
  return Object.keys(environment)
    .filter((name) => name.startsWith('MILLRACE_') && !known.includes(name))
    .map((name) => {
      const nearest = nearestName(name, known)
      return `${name} is not a setting${nearest === undefined ? '' : `; did you mean ${nearest}?`}`
    })
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) deepFreeze(inner)
  return Object.freeze(value)
}
