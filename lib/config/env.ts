import { isIP } from 'node:net'
import * as v from 'valibot'
import { labelSets } from '#lib/core/status.ts'
import { isLogStoreUrl, logStoreForms } from './log-store-location.ts'
import {
  number,
  switchText,
  pairs,
  list,
  headers,
  folders,
  isZone,
  postgresUrl,
  token,
  serviceUrl,
  address,
  program,
  username,
  network,
  hostNames,
} from './setting-values.ts'

/** One setting: its schema, its default (in words for the user), and its meaning. */
interface Setting<S extends v.GenericSchema = v.GenericSchema> {
  readonly schema: S
  readonly default: string
  readonly description: string
  /** Its value is never shown. */
  readonly secret?: true
}

const setting = <S extends v.GenericSchema<string, unknown>>(
  schema: S,
  fallback: string,
  description: string,
): Setting<S> => ({ schema, default: fallback, description })

/** Every setting of the service, in the order of the documentation. A default in brackets is computed at start. */
export const settings = {
  MILLRACE_HOST: setting(v.pipe(v.string(), address), '127.0.0.1', 'Address that the API listens on.'),
  MILLRACE_PORT: setting(number(0, 65_535, ''), '8080', 'Port of the API; 0 takes a free one.'),
  MILLRACE_DRAIN_S: setting(
    number(0, 3_600, ' seconds'),
    '0',
    'Seconds for which the API keeps answering after it was told to end, with /readyz at 503.',
  ),
  MILLRACE_DATA_DIR: setting(v.string(), '.millrace', 'Folder of the embedded Postgres and of log files.'),
  MILLRACE_DAGS_DIR: setting(
    v.string(),
    '[none]',
    'Folder of DAG files, subfolders included; npm start and ticks with the setting read it every other second.',
  ),
  MILLRACE_LOG_STORE: setting(
    v.pipe(v.string(), v.check(isLogStoreUrl, logStoreForms)),
    '[file:<data folder>/logs; postgres: when DATABASE_URL is given]',
    'Where logs are stored: file:<folder>, postgres:, or s3://<bucket>/<prefix>?region=…&endpoint=….',
  ),
  MILLRACE_LOG_MAX_MB: setting(number(1, 4_096, ' MB'), '1024', 'Largest size of each log of a step, in MB.'),
  AWS_REGION: setting(v.string(), 'us-east-1', 'Region of the log bucket when its URL names none.'),
  AWS_ACCESS_KEY_ID: setting(v.string(), '[none]', 'Access key id for the log bucket.'),
  AWS_SECRET_ACCESS_KEY: { ...setting(v.string(), '[none]', 'Secret of that access key.'), secret: true },
  AWS_SESSION_TOKEN: {
    ...setting(v.string(), '[none]', 'Session token, for temporary access keys.'),
    secret: true,
  },
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: setting(
    v.string(),
    '[none]',
    'Set by ECS. Without an access key, the role of the task is used for the log bucket.',
  ),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: setting(
    v.string(),
    '[none]',
    'Set by EKS Pod Identity. Without an access key, the role of the pod is used.',
  ),
  AWS_CONTAINER_AUTHORIZATION_TOKEN: {
    ...setting(v.string(), '[none]', 'Token that authorizes the request for the keys of the role.'),
    secret: true,
  },
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: setting(
    v.string(),
    '[none]',
    'File with that token, read at each request.',
  ),
  MILLRACE_RUNNER_SLOTS: setting(
    number(1, 10_000, ''),
    '16',
    'Number of runs that a runner executes at the same time.',
  ),
  MILLRACE_RUNNER_LABELS: setting(
    pairs('must be name=value pairs, separated by commas', (value) => /^[\w.\-/]{1,63}$/.test(value)),
    '[none]',
    'Labels of the runner, name=value pairs separated by commas; the workerSelector of a DAG must match.',
  ),
  MILLRACE_RUNNER_GRACE_S: setting(
    number(0, 86_400, ' seconds'),
    '10',
    'Seconds for which running steps may continue after the runner was told to end.',
  ),
  MILLRACE_RUNNER_BUDGET_S: setting(
    number(1, 86_400, ' seconds'),
    '[none]',
    'Seconds after which the runner gives its runs back and ends; running steps get the grace period.',
  ),
  MILLRACE_STEP_USER: setting(
    v.pipe(
      v.string(),
      v.regex(/^([a-zA-Z_][\w.-]*\$?|\d{1,9}(:\d{1,9})?)$/, 'must be a name, a uid, or uid:gid'),
    ),
    '[the user of the runner]',
    'User that steps run as: a name, a uid or uid:gid. Without it, a step can read what the service can read.',
  ),
  MILLRACE_SHELL: setting(
    program,
    'sh',
    'Shell of steps and scripts that name none: an absolute path, or the name of a program in PATH.',
  ),
  MILLRACE_LEASE_S: setting(
    number(5, 3_600, ' seconds'),
    '45',
    'Length of a lease: seconds after the last renewal of a runner until its runs are taken over.',
  ),
  DATABASE_URL: {
    ...setting(
      postgresUrl,
      '[embedded Postgres]',
      'URL of a PostgreSQL 15 or newer, read as by libpq: sslmode and its files, PG* for what it leaves out.',
    ),
    secret: true,
  },
  MILLRACE_DATABASE_POOLED: setting(
    switchText,
    'false',
    'Set to true when DATABASE_URL leads to a pooler in transaction mode.',
  ),
  MILLRACE_DATABASE_DIRECT_URL: {
    ...setting(
      postgresUrl,
      '[none]',
      'The same database without the pooler, for LISTEN; without it, a pooled runner only polls.',
    ),
    secret: true,
  },
  MILLRACE_DATABASE_CONNECTIONS: setting(
    number(1, 1_000, ''),
    '[API 16, runner 3, tick 2, function 2, local server 3]',
    'Maximum number of database connections of a process.',
  ),
  MILLRACE_LOG_LEVEL: setting(
    v.picklist(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent'),
    'info',
    'Level of the service log (on standard output); read-only calls are logged at `debug`.',
  ),
  MILLRACE_LOG_FORMAT: setting(
    v.picklist(['auto', 'json', 'text'], 'must be auto, json or text'),
    'auto',
    'Format of the service log: auto is text for people on a terminal, and JSON lines elsewhere.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    v.pipe(v.string(), v.regex(/^https?:\/\/[^\s?#]+$/, 'must be http(s)://host:port')),
    '[none]',
    'Collector for traces (OTLP over HTTP): a span for each run and each attempt of a step.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: {
    ...setting(
      v.pipe(
        v.string(),
        v.check((text) => headers(text) !== undefined, 'must be name=value pairs, separated by commas'),
        v.transform((text) => headers(text) ?? []),
      ),
      '[none]',
      'Headers sent to that collector, name=value pairs separated by commas.',
    ),
    secret: true,
  },
  OTEL_SERVICE_NAME: setting(v.string(), 'millrace', 'Name of the service in traces.'),
  MILLRACE_STATUS_LABELS: setting(
    v.picklist(labelSets, `must be ${labelSets.join(' or ')}`),
    'documented',
    'Words for statuses in the API: documented (finished, cancelled) or 1.23 (succeeded, canceled), as clients expect.',
  ),
  MILLRACE_TZ: setting(
    v.pipe(v.string(), v.check(isZone, 'must be a time zone such as Europe/Berlin')),
    "[the machine's]",
    'Time zone of schedules that name none.',
  ),
  MILLRACE_BASE_CONFIG: setting(v.string(), '[none]', 'A YAML file that every DAG inherits from.'),
  MILLRACE_AUTH_BASIC_USERNAME: setting(
    username,
    '[none]',
    'User name for basic authentication, together with the password.',
  ),
  MILLRACE_AUTH_BASIC_PASSWORD: {
    ...setting(
      v.string(),
      '[none]',
      'Password for basic authentication: at least 8 characters, no well-known words, not the user name.',
    ),
    secret: true,
  },
  MILLRACE_AUTH_TOKEN: {
    ...setting(
      token,
      '[none]',
      'Bearer token that gives full access: at least 16 characters, such as openssl rand -hex 24 makes.',
    ),
    secret: true,
  },
  MILLRACE_TICK_TOKEN: {
    ...setting(token, '[none]', 'Bearer token for an external clock; it allows POST /tick and nothing else.'),
    secret: true,
  },
  MILLRACE_ALLOW_ANONYMOUS: setting(
    switchText,
    'false',
    'Set to true to let an API without credentials listen beyond this machine.',
  ),
  MILLRACE_ALLOWED_HOSTS: setting(
    hostNames,
    '[with credentials any, else loopback names]',
    'Hosts that the API answers to beside loopback names, separated by commas; * is any, and unsafe.',
  ),
  MILLRACE_TRUSTED_PROXIES: setting(
    v.pipe(
      v.string(),
      v.transform(list),
      v.check((entries) => entries.every((entry) => isIP(entry) !== 0), 'must be addresses'),
    ),
    '[none]',
    'Addresses of proxies whose X-Forwarded-For is trusted, separated by commas.',
  ),
  MILLRACE_HTTP_ALLOW: setting(
    v.pipe(
      v.string(),
      v.transform(list),
      v.check((entries) => entries.every((entry) => network.test(entry)), 'must be addresses or networks'),
    ),
    '[none]',
    'Link-local and metadata addresses or networks that http steps may call, separated by commas.',
  ),
  MILLRACE_JQ_PATH: setting(
    v.string(),
    '[built in]',
    'Path of the jq program for jq steps, instead of the built-in one.',
  ),
  MILLRACE_CONTAINER_ALLOW: setting(
    v.pipe(
      v.string(),
      v.transform(list),
      v.array(
        v.picklist(['privileged', 'root', 'socket'], 'must be privileged, root, socket, separated by commas'),
      ),
    ),
    '[none]',
    'What step containers may use: privileged, root (a bind of / or of /etc and such), socket (a bind of its socket).',
  ),
  MILLRACE_FILE_ROOTS: setting(
    folders,
    '[anywhere]',
    'Folders to which files and working directories that DAGs name are restricted, separated by commas.',
  ),
  MILLRACE_REMOTE_NODES: setting(
    v.string(),
    '[none]',
    'YAML or JSON file that lists other instances, for the query parameter remoteNode.',
  ),
  MILLRACE_QUEUES: setting(
    pairs('must be name=maximum pairs, separated by commas', (value) => /^[1-9]\d{0,5}$/.test(value)),
    '[none]',
    'Custom queues, name=maximum pairs separated by commas: the maximum number of active runs.',
  ),
  MILLRACE_DAG_VERSIONS: setting(number(1, 100_000, ''), '100', 'Versions kept of each DAG, at least.'),
  MILLRACE_URL: setting(serviceUrl, 'http://127.0.0.1:8080', 'URL of the service for the command line.'),
  MILLRACE_API_KEY: {
    ...setting(v.string(), '[none]', 'API key or token for the command line.'),
    secret: true,
  },
  MILLRACE_USER: setting(v.string(), '[none]', 'User name for the command line, instead of a key.'),
  MILLRACE_PASSWORD: { ...setting(v.string(), '[none]', 'Password for the command line.'), secret: true },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings

export type SettingValues = {
  readonly [Name in SettingName]: v.InferOutput<(typeof settings)[Name]['schema']> | undefined
}

/** Settings whose values must never be shown, nor passed to steps. */
export const secretSettings: readonly string[] = Object.entries(settings)
  .filter(([, setting]) => 'secret' in setting)
  .map(([name]) => name)

/** The secret settings of an environment that have a value. */
export function secretsIn(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    secretSettings.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
}
