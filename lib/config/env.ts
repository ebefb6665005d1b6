import { isIP } from 'node:net'
import * as v from 'valibot'
import { isLogStoreUrl, logStoreForms } from './log-store-place.ts'
import {
  number,
  switchText,
  pairs,
  list,
  headers,
  isZone,
  postgresUrl,
  token,
  serviceUrl,
  address,
  network,
} from './setting-values.ts'

/** One setting: how it is read, what stands when it is not given (in the words of a user), and what it does. */
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

/** Every setting of the service, in the order of the documentation. A default in brackets is worked out at start. */
export const settings = {
  MILLRACE_HOST: setting(v.pipe(v.string(), address), '127.0.0.1', 'Address that the API listens on.'),
  MILLRACE_PORT: setting(number(0, 65_535, ''), '8080', 'Port of the API; 0 takes a free one.'),
  MILLRACE_DRAIN_S: setting(
    number(0, 3_600, ' seconds'),
    '0',
    'Seconds that the API, told to end, goes on answering while /readyz says no.',
  ),
  MILLRACE_DATA_DIR: setting(v.string(), '.millrace', 'Folder of the embedded Postgres and of log files.'),
  MILLRACE_DAGS_DIR: setting(
    v.string(),
    '[none]',
    'Folder of DAG files that is the source of all DAGs: read at start and whenever a file changes.',
  ),
  MILLRACE_LOG_STORE: setting(
    v.pipe(v.string(), v.check(isLogStoreUrl, logStoreForms)),
    '[file:<data folder>/logs; postgres: when DATABASE_URL is given]',
    'Where the output of steps is kept: file:<folder>, postgres:, or s3://<bucket>/<prefix>?region=…&endpoint=….',
  ),
  AWS_REGION: setting(v.string(), 'us-east-1', 'Region of that bucket when its URL names none.'),
  AWS_ACCESS_KEY_ID: setting(v.string(), '[none]', 'Who asks for that bucket.'),
  AWS_SECRET_ACCESS_KEY: { ...setting(v.string(), '[none]', 'The secret of that key.'), secret: true },
  AWS_SESSION_TOKEN: {
    ...setting(v.string(), '[none]', 'Its session, where a platform gives credentials that end.'),
    secret: true,
  },
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: setting(
    v.string(),
    '[none]',
    'Set by ECS: without a key, the role of the task asks for that bucket.',
  ),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: setting(
    v.string(),
    '[none]',
    'Set by EKS Pod Identity: the same with the role of the pod.',
  ),
  AWS_CONTAINER_AUTHORIZATION_TOKEN: {
    ...setting(v.string(), '[none]', 'What is shown where the role is asked for.'),
    secret: true,
  },
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: setting(
    v.string(),
    '[none]',
    'A file that has it, read each time.',
  ),
  MILLRACE_RUNNER_SLOTS: setting(
    number(1, 10_000, ''),
    '16',
    'Runs that a runner executes at the same time.',
  ),
  MILLRACE_RUNNER_LABELS: setting(
    pairs('must be name=value pairs, separated by commas', (value) => /^[\w.\-/]{1,63}$/.test(value)),
    '[none]',
    'Labels of the runner, name=value pairs separated by commas; workerSelector asks for them.',
  ),
  MILLRACE_RUNNER_GRACE_S: setting(
    number(0, 86_400, ' seconds'),
    '10',
    'Seconds that a runner which must end gives to running steps before it stops them.',
  ),
  MILLRACE_RUNNER_BUDGET_S: setting(
    number(1, 86_400, ' seconds'),
    '[none]',
    'Seconds after which the runner gives its runs back and ends; steps that run get the grace.',
  ),
  MILLRACE_LEASE_S: setting(
    number(5, 3_600, ' seconds'),
    '45',
    'Seconds after its last sign of life before the runs of a runner are taken over.',
  ),
  DATABASE_URL: {
    ...setting(
      postgresUrl,
      '[embedded Postgres]',
      'A served PostgreSQL, 15 or newer; sslmode, sslrootcert, sslcert and sslkey as libpq reads them.',
    ),
    secret: true,
  },
  MILLRACE_DATABASE_POOLED: setting(
    switchText,
    'false',
    'DATABASE_URL leads to a pooler that shares connections between transactions.',
  ),
  MILLRACE_DATABASE_DIRECT_URL: {
    ...setting(
      postgresUrl,
      '[none]',
      'The same database without the pooler, for LISTEN; without it a pooled runner polls.',
    ),
    secret: true,
  },
  MILLRACE_DATABASE_CONNECTIONS: setting(
    number(1, 1_000, ''),
    '[API 16, runner 4, tick 2, function 2]',
    'Connections to the database that a process has open at the same time.',
  ),
  MILLRACE_LOG_LEVEL: setting(
    v.picklist(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent'),
    'info',
    "Level of the service's own log, JSON lines on standard output; calls that only read are at `debug`.",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    v.pipe(v.string(), v.regex(/^https?:\/\/[^\s?#]+$/, 'must be http(s)://host:port')),
    '[none]',
    'Collector that gets a trace of each run (OTLP over HTTP): a span for the run and each attempt of a step.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: {
    ...setting(
      v.pipe(
        v.string(),
        v.check((text) => headers(text) !== undefined, 'must be name=value pairs, separated by commas'),
        v.transform((text) => headers(text) ?? []),
      ),
      '[none]',
      'Headers for that collector, name=value pairs separated by commas.',
    ),
    secret: true,
  },
  OTEL_SERVICE_NAME: setting(v.string(), 'millrace', 'Name of the service in traces.'),
  MILLRACE_TZ: setting(
    v.pipe(v.string(), v.check(isZone, 'must be a time zone such as Europe/Berlin')),
    "[the machine's]",
    'Time zone of schedules that name none.',
  ),
  MILLRACE_BASE_CONFIG: setting(v.string(), '[none]', 'A YAML file that every DAG inherits from.'),
  MILLRACE_AUTH_BASIC_USERNAME: setting(
    v.pipe(v.string(), v.regex(/^[^:]+$/, 'must not contain a colon')),
    '[none]',
    'User name for basic authentication, together with the password.',
  ),
  MILLRACE_AUTH_BASIC_PASSWORD: { ...setting(v.string(), '[none]', 'Its password.'), secret: true },
  MILLRACE_AUTH_TOKEN: {
    ...setting(token, '[none]', 'Bearer token that gives full access.'),
    secret: true,
  },
  MILLRACE_TICK_TOKEN: {
    ...setting(
      token,
      '[none]',
      'Bearer token of a clock from outside: it may call POST /tick, nothing else.',
    ),
    secret: true,
  },
  MILLRACE_ALLOW_ANONYMOUS: setting(
    switchText,
    'false',
    'Lets the API listen beyond this machine although anybody may use it.',
  ),
  MILLRACE_TRUSTED_PROXIES: setting(
    v.pipe(
      v.string(),
      v.transform(list),
      v.check((entries) => entries.every((entry) => isIP(entry) !== 0), 'must be addresses'),
    ),
    '[none]',
    'Addresses of proxies whose X-Forwarded-For says where a call comes from, separated by commas.',
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
    'The jq program for jq steps, instead of the one built in.',
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
    "What containers of steps may have: privileged mode, a bind of the machine's root, a bind of the engine's socket.",
  ),
  MILLRACE_REMOTE_NODES: setting(
    v.string(),
    '[none]',
    'A YAML or JSON file of other instances that calls may name as remoteNode.',
  ),
  MILLRACE_QUEUES: setting(
    pairs('must be name=maximum pairs, separated by commas', (value) => /^[1-9]\d{0,5}$/.test(value)),
    '[none]',
    'Custom queues, name=maximum pairs separated by commas: so many runs at the same time.',
  ),
  MILLRACE_URL: setting(serviceUrl, 'http://127.0.0.1:8080', 'Service that the command line talks to.'),
  MILLRACE_API_KEY: {
    ...setting(v.string(), '[none]', 'API key or token that the command line shows there.'),
    secret: true,
  },
  MILLRACE_USER: setting(
    v.string(),
    '[none]',
    'User name that it shows instead, together with the password.',
  ),
  MILLRACE_PASSWORD: { ...setting(v.string(), '[none]', 'Its password.'), secret: true },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings

export type SettingValues = {
  readonly [Name in SettingName]: v.InferOutput<(typeof settings)[Name]['schema']> | undefined
}

/** Settings whose values nobody but the service may see. */
export const secretSettings: readonly string[] = Object.entries(settings)
  .filter(([, setting]) => 'secret' in setting)
  .map(([name]) => name)
