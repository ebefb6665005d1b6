import { settings, type SettingName } from './env.ts'

/**
 * What others may see of a setting. Every setting is listed, so that a new one does not compile until somebody has
 * decided: `text` is shown as it is, of a `url` its scheme, host and path, and of a `secret` only that it is set.
 */
const kinds: Readonly<Record<SettingName, 'text' | 'url' | 'secret'>> = {
  MILLRACE_HOST: 'text',
  MILLRACE_PORT: 'text',
  MILLRACE_DRAIN_S: 'text',
  MILLRACE_DATA_DIR: 'text',
  MILLRACE_DAGS_DIR: 'text',
  MILLRACE_LOG_STORE: 'url',
  MILLRACE_LOG_MAX_MB: 'text',
  MILLRACE_DAG_VERSIONS: 'text',
  AWS_REGION: 'text',
  AWS_ACCESS_KEY_ID: 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'secret',
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: 'secret',
  AWS_CONTAINER_CREDENTIALS_FULL_URI: 'secret',
  AWS_CONTAINER_AUTHORIZATION_TOKEN: 'secret',
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: 'text',
  MILLRACE_RUNNER_SLOTS: 'text',
  MILLRACE_RUNNER_LABELS: 'text',
  MILLRACE_RUNNER_GRACE_S: 'text',
  MILLRACE_RUNNER_BUDGET_S: 'text',
  MILLRACE_STEP_USER: 'text',
  MILLRACE_SHELL: 'text',
  MILLRACE_LEASE_S: 'text',
  DATABASE_URL: 'secret',
  MILLRACE_DATABASE_POOLED: 'text',
  MILLRACE_DATABASE_DIRECT_URL: 'secret',
  MILLRACE_DATABASE_CONNECTIONS: 'text',
  MILLRACE_LOG_LEVEL: 'text',
  MILLRACE_LOG_FORMAT: 'text',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'url',
  OTEL_EXPORTER_OTLP_HEADERS: 'secret',
  OTEL_SERVICE_NAME: 'text',
  MILLRACE_STATUS_LABELS: 'text',
  MILLRACE_TZ: 'text',
  MILLRACE_BASE_CONFIG: 'text',
  MILLRACE_AUTH_BASIC_USERNAME: 'text',
  MILLRACE_AUTH_BASIC_PASSWORD: 'secret',
  MILLRACE_AUTH_TOKEN: 'secret',
  MILLRACE_TICK_TOKEN: 'secret',
  MILLRACE_ALLOW_ANONYMOUS: 'text',
  MILLRACE_ALLOWED_HOSTS: 'text',
  MILLRACE_TRUSTED_PROXIES: 'text',
  MILLRACE_HTTP_ALLOW: 'text',
  MILLRACE_JQ_PATH: 'text',
  MILLRACE_CONTAINER_ALLOW: 'text',
  MILLRACE_FILE_ROOTS: 'text',
  MILLRACE_REMOTE_NODES: 'text',
  MILLRACE_QUEUES: 'text',
  MILLRACE_URL: 'url',
  MILLRACE_API_KEY: 'secret',
  MILLRACE_USER: 'text',
  MILLRACE_PASSWORD: 'secret',
}

/** A setting as an admin may see it. */
export interface ShownSetting {
  readonly name: SettingName
  /** Empty for a secret, and for what is computed where it is needed. */
  readonly value: string
  readonly source: 'environment' | 'default'
  readonly isSecret: boolean
  /** In words. */
  readonly default: string
  readonly description: string
}

/** Every setting in the order of the documentation, without anything secret. */
export function shownSettings(environment: Readonly<Record<string, string | undefined>>): ShownSetting[] {
  return Object.entries(settings).map(([key, setting]) => {
    const name = key as SettingName
    const given = environment[name]
    const isGiven = given !== undefined && given.trim() !== ''
    // What the process is given may name more than the list does, so both must allow it.
    const kind = 'secret' in setting ? 'secret' : kinds[name]
    return {
      name,
      value: isGiven ? visible(kind, given) : setting.default.startsWith('[') ? '' : setting.default,
      source: isGiven ? 'environment' : 'default',
      isSecret: kind === 'secret',
      default: setting.default.replace(/^\[(.*)\]$/, '$1'),
      description: setting.description,
    }
  })
}

function visible(kind: (typeof kinds)[SettingName], value: string): string {
  if (kind === 'secret') return ''
  if (kind === 'text' || /^(file|postgres):(?!\/\/)/.test(value)) return value
  const url = URL.parse(value)
  return url === null ? '' : `${url.protocol}//${url.host}${url.pathname}`
}
