import { isIP } from 'node:net'
import * as v from 'valibot'

/** What a number with a unit must be, said once; the message is what a user reads behind the value. */
function number(low: number, high: number, unit: string) {
  const right = `must be a whole number from ${low} to ${high}${unit}`
  return v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d{1,9}$/, right),
    v.transform(Number),
    v.number(),
    v.minValue(low, right),
    v.maxValue(high, right),
  )
}

const switchText = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.picklist(['true', 'false', '1', '0', 'yes', 'no'], 'must be true or false'),
  v.transform((text) => ['true', '1', 'yes'].includes(text)),
)

/** `a=b,c=d` as pairs, in order. */
function pairs(right: string, isValue: (value: string) => boolean) {
  const word = /^[A-Za-z0-9][A-Za-z0-9_.\-/]{0,62}$/
  return v.pipe(
    v.string(),
    v.transform((text) => list(text).map((entry): [string, string] => splitOnce(entry))),
    v.check((entries) => entries.every(([name, value]) => word.test(name) && isValue(value)), right),
    v.check(
      (entries) => new Set(entries.map(([name]) => name)).size === entries.length,
      'names something twice',
    ),
  )
}

const list = (text: string): string[] =>
  text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))

function splitOnce(entry: string): [string, string] {
  const at = entry.indexOf('=')
  return at < 0 ? [entry, ''] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
}

const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const postgresUrl = v.pipe(
  v.string(),
  v.regex(/^postgres(ql)?:\/\//, 'must be postgres://user:password@host:port/database'),
  v.check((text) => URL.canParse(text), 'must be postgres://user:password@host:port/database'),
)

const token = v.pipe(
  v.string(),
  v.minLength(16, 'must have at least 16 characters'),
  v.regex(/^[!-~]+$/, 'must hold letters, digits and signs only, no blanks'),
)

const serviceUrl = v.pipe(
  v.string(),
  v.check(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must be http://host:port or https://host:port',
  ),
)

const address = v.regex(
  /^(\[[0-9a-fA-F:]+\]|[0-9a-fA-F:.]+|[A-Za-z0-9.-]+)$/,
  'must be an address or a host name',
)
const network = /^[0-9a-fA-F:.]+(\/\d{1,3})?$/

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
  MILLRACE_DATA_DIR: setting(v.string(), '.millrace', 'Folder of the embedded Postgres and of log files.'),
  MILLRACE_DAGS_DIR: setting(
    v.string(),
    '[none]',
    'Folder of DAG files that is the source of all DAGs: read at start and whenever a file changes.',
  ),
  MILLRACE_LOG_STORE: setting(
    v.pipe(v.string(), v.regex(/^(file:.+|postgres:)$/, 'must be file:<folder> or postgres:')),
    '[file:<data folder>/logs; postgres: when DATABASE_URL is given]',
    'Where the output of steps is kept.',
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
    ...setting(postgresUrl, '[embedded Postgres]', 'A served PostgreSQL, 15 or newer.'),
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
    "Level of the service's own log, JSON lines on standard output.",
  ),
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
