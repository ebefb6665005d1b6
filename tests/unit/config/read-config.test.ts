import { describe, expect, test } from 'vitest'
import { readConfig } from '#lib/config/config.ts'
import { logStoreUrl } from '#lib/config/log-store-location.ts'
import { settings } from '#lib/config/settings/all.ts'

const folder = '/srv/millrace'

test('without any variable the service is local, safe and complete', () => {
  expect(readConfig({}, folder)).toEqual({
    shown: expect.any(Array),
    host: '127.0.0.1',
    port: 8080,
    dataDir: '/srv/millrace/.millrace',
    dagsDir: undefined,
    databaseUrl: undefined,
    databasePooled: false,
    databaseDirectUrl: undefined,
    logStore: { kind: 'file', folder: '/srv/millrace/.millrace/logs' },
    logBytesMax: 1_073_741_824,
    runner: {
      slots: 16,
      labels: {},
      graceMs: 10_000,
      budgetMs: undefined,
      stepUser: undefined,
      shell: 'sh',
      executors: { httpAllow: [], jqPath: undefined, containerAllow: [] },
    },
    drainMs: 0,
    leaseMs: 45_000,
    logLevel: 'info',
    logFormat: 'auto',
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    baseConfigFile: undefined,
    given: [],
    remoteNodesFile: undefined,
    auth: { basic: undefined, token: undefined, tickToken: undefined },
    dagVersions: 100,
    queues: [],
    statusLabels: 'documented',
    allowedHosts: [],
    trustedProxies: [],
    warnings: [],
  })
})

test('every variable is read, in the units of the code', () => {
  const config = readConfig(
    {
      MILLRACE_HOST: '0.0.0.0',
      MILLRACE_PORT: '0',
      MILLRACE_DATA_DIR: '/var/lib/millrace',
      MILLRACE_DAGS_DIR: 'dags',
      MILLRACE_LOG_STORE: 'file:logs',
      MILLRACE_LOG_MAX_MB: '2',
      MILLRACE_RUNNER_SLOTS: '3',
      MILLRACE_RUNNER_LABELS: 'gpu=yes, zone=eu-1',
      MILLRACE_RUNNER_GRACE_S: '60',
      MILLRACE_LEASE_S: '5',
      DATABASE_URL: 'postgresql://me:secret@db.example:5432/jobs?sslmode=require',
      MILLRACE_LOG_LEVEL: 'warn',
      MILLRACE_TZ: 'Europe/Berlin',
      MILLRACE_BASE_CONFIG: 'base.yaml',
      MILLRACE_REMOTE_NODES: 'nodes.yaml',
      MILLRACE_AUTH_TOKEN: 'f3c1a9d27b60e845',
      MILLRACE_AUTH_BASIC_USERNAME: 'ann',
      MILLRACE_AUTH_BASIC_PASSWORD: 'a:b c-otter',
      MILLRACE_HTTP_ALLOW: '169.254.169.254, fe80::/10',
      MILLRACE_JQ_PATH: 'jq',
      MILLRACE_CONTAINER_ALLOW: 'socket, root',
      MILLRACE_FILE_ROOTS: '/srv/data, /var/log:/opt',
      MILLRACE_QUEUES: 'heavy=2,light=50',
    },
    folder,
  )
  expect(config).toMatchObject({
    host: '0.0.0.0',
    port: 0,
    dagsDir: '/srv/millrace/dags',
    logStore: { kind: 'file', folder: '/srv/millrace/logs' },
    logBytesMax: 2_097_152,
    runner: {
      slots: 3,
      labels: { gpu: 'yes', zone: 'eu-1' },
      graceMs: 60_000,
      fileRoots: ['/srv/data', '/var/log', '/opt'],
      executors: {
        httpAllow: ['169.254.169.254', 'fe80::/10'],
        jqPath: '/srv/millrace/jq',
        containerAllow: ['socket', 'root'],
      },
    },
    leaseMs: 5_000,
    zone: 'Europe/Berlin',
    baseConfigFile: '/srv/millrace/base.yaml',
    remoteNodesFile: '/srv/millrace/nodes.yaml',
    auth: { basic: { username: 'ann', password: 'a:b c-otter' }, token: 'f3c1a9d27b60e845' },
    queues: [
      { name: 'heavy', maxConcurrency: 2 },
      { name: 'light', maxConcurrency: 50 },
    ],
  })
})

test('logs go to Postgres when DATABASE_URL is set, unless a log store is given', () => {
  const served = { DATABASE_URL: 'postgres://db/jobs' }
  expect(readConfig(served, folder).logStore).toEqual({ kind: 'postgres' })
  expect(readConfig({ ...served, MILLRACE_LOG_STORE: 'file:/logs' }, folder).logStore).toEqual({
    kind: 'file',
    folder: '/logs',
  })
})

test('a bucket is named by a URL, and its credentials by the AWS variables', () => {
  const key = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hunter2' }
  const store = (url: string, more = {}) =>
    readConfig({ ...key, MILLRACE_LOG_STORE: url, ...more }, folder).logStore
  expect(store('s3://logs')).toEqual({
    kind: 's3',
    bucket: 'logs',
    prefix: '',
    endpoint: undefined,
    region: 'us-east-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'hunter2', sessionToken: undefined },
  })
  const url = 's3://logs/of/jobs/?region=eu-1&endpoint=http%3A%2F%2F127.0.0.1%3A9000'
  const bucket = store(url, { AWS_SESSION_TOKEN: 'token' })
  expect(bucket).toMatchObject({
    prefix: 'of/jobs/',
    endpoint: 'http://127.0.0.1:9000',
    region: 'eu-1',
    credentials: { sessionToken: 'token' },
  })
  expect(logStoreUrl(bucket)).toBe(url)
  expect(() => readConfig({ MILLRACE_LOG_STORE: 's3://logs' }, folder)).toThrow(/needs AWS_ACCESS_KEY_ID/)
})

describe('credentials of a container role', () => {
  const role = (aws: Record<string, string>) => {
    const { logStore } = readConfig({ ...aws, MILLRACE_LOG_STORE: 's3://logs' }, folder)
    return logStore.kind === 's3' && logStore.credentials
  }
  const relative = 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'
  const full = 'AWS_CONTAINER_CREDENTIALS_FULL_URI'

  test('are read from the ECS or EKS variables when there is no access key', () => {
    expect(role({ [relative]: '/v2/credentials/a-b', [full]: 'https://elsewhere/' })).toEqual({
      url: 'http://169.254.170.2/v2/credentials/a-b',
      token: undefined,
      tokenFile: undefined,
    })
    const file = { AWS_CONTAINER_AUTHORIZATION_TOKEN: 'a', AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/b' }
    const pod = 'http://169.254.170.23/v1/credentials'
    expect(role({ [full]: pod, ...file })).toEqual({ url: pod, token: 'a', tokenFile: '/b' })
    const key = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hunter2' }
    expect(role({ ...key, [full]: pod })).toMatchObject({ accessKeyId: 'id' })
  })

  test.each([
    'https://keys.example',
    'http://127.0.0.1:80/',
    'http://localhost/a',
    'http://[fd00:ec2::23]/v1',
  ])('may be requested from %s', (url) => {
    expect(role({ [full]: url })).toMatchObject({ url })
  })

  test.each([
    [full, 'http://keys.example/'],
    [full, 'http://169.254.169.254/latest'],
    [full, 'http://127.0.0.1.example/'],
    [full, 'ftp://127.0.0.1/'],
    [full, 'no URL'],
    [relative, '@keys.example/'],
    [relative, '.keys.example/'],
  ])('may not be requested from %s=%s', (name, url) => {
    expect(() => role({ [name]: url })).toThrow(`${name}=${JSON.stringify(url)}: must be https, or http on`)
  })

  test('do not replace half an access key', () => {
    expect(() => role({ AWS_ACCESS_KEY_ID: 'id', [relative]: '/a' })).toThrow(/needs AWS_ACCESS_KEY_ID/)
  })
})

test('traces go to the collector that the OpenTelemetry variables name', () => {
  expect(
    readConfig(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, x-other=c',
      },
      folder,
    ).traces,
  ).toEqual({
    endpoint: 'http://collector:4318',
    headers: { 'x-key': 'a b', 'x-other': 'c' },
    serviceName: 'millrace',
  })
})

test('a blank variable counts as not set, but is listed as given', () => {
  const blank = Object.fromEntries(Object.keys(settings).map((name) => [name, ' ']))
  expect(readConfig(blank, folder)).toEqual({ ...readConfig({}, folder), given: Object.keys(settings) })
})

test.each(['bash -e', './bash', 'a/b', '$SHELL'])('the shell %s is refused', (shell) => {
  expect(() => readConfig({ MILLRACE_SHELL: shell }, folder)).toThrow(/MILLRACE_SHELL=.*absolute path/)
})

describe('faults', () => {
  const wrong: readonly [string, string][] = [
    ['MILLRACE_HOST', 'a b'],
    ['MILLRACE_PORT', '70000'],
    ['MILLRACE_LOG_STORE', 's3'],
    ['MILLRACE_LOG_STORE', 's3://me:hunter2@logs'],
    ['MILLRACE_LOG_STORE', 's3://logs?endpoint=ftp://x'],
    ['MILLRACE_LOG_STORE', 's3://logs?acl=public'],
    ['MILLRACE_LOG_MAX_MB', '0'],
    ['MILLRACE_LOG_MAX_MB', '4097'],
    ['MILLRACE_LOG_MAX_MB', '1.5'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key'],
    ['MILLRACE_RUNNER_SLOTS', '0'],
    ['MILLRACE_RUNNER_LABELS', 'gpu'],
    ['MILLRACE_RUNNER_GRACE_S', '-1'],
    ['MILLRACE_LEASE_S', '1.5'],
    ['DATABASE_URL', 'mysql://me:hunter2@db/jobs'],
    ['MILLRACE_LOG_LEVEL', 'loud'],
    ['MILLRACE_LOG_FORMAT', 'xml'],
    ['MILLRACE_TZ', 'Middle/Earth'],
    ['MILLRACE_AUTH_TOKEN', 'hunter2'],
    ['MILLRACE_AUTH_BASIC_USERNAME', 'a:b'],
    ['MILLRACE_ALLOW_ANONYMOUS', 'maybe'],
    ['MILLRACE_ALLOWED_HOSTS', 'good.example, user@evil.example'],
    ['MILLRACE_HTTP_ALLOW', 'example.org'],
    ['MILLRACE_QUEUES', 'heavy=0'],
  ]

  test.each(wrong)('%s=%s is refused, and the message says what is allowed', (name, value) => {
    expect(() => readConfig({ [name]: value }, folder)).toThrow(new RegExp(`${name}=.*: must `))
  })

  test.each([
    ['admin', 'admin'],
    ['admin', 'Admin1234'],
    ['annabella', 'ANNABELLA'],
    ['ann', 'changeme'],
    ['ann', 'seven77'],
    ['ann', '12345678'],
  ])('the user %s with the weak password %s is refused', (username, password) => {
    const given = { MILLRACE_AUTH_BASIC_USERNAME: username, MILLRACE_AUTH_BASIC_PASSWORD: password }
    expect(() => readConfig(given, folder)).toThrow(/MILLRACE_AUTH_BASIC_PASSWORD=…: must /)
  })

  test.each(['MILLRACE_AUTH_TOKEN', 'MILLRACE_TICK_TOKEN'])('a trivial %s is refused', (name) => {
    for (const token of [
      '0123456789012345',
      'aaaaaaaaaaaaaaaa',
      'changeme-changeme',
      'millrace-secret-token',
    ]) {
      expect(() => readConfig({ [name]: token }, folder)).toThrow(`${name}=…: must `)
    }
  })

  test('the tick token must differ from the API token', () => {
    const token = 'f3c1a9d27b60e845'
    const both = { MILLRACE_AUTH_TOKEN: token, MILLRACE_TICK_TOKEN: token }
    expect(() => readConfig(both, folder)).toThrow('must not be MILLRACE_AUTH_TOKEN')
  })

  test('disabled certificate verification is refused, and the message says what to do instead', () => {
    const start = (value: string) => () => readConfig({ NODE_TLS_REJECT_UNAUTHORIZED: value }, folder)
    expect(start('0')).toThrow(/NODE_EXTRA_CA_CERTS.*sslrootcert.*skipTLSVerify/)
    expect(start('1')).not.toThrow()
  })

  test('all faults are reported at once, without the values of secrets', () => {
    const message = ((): string => {
      try {
        readConfig(Object.fromEntries(wrong), folder)
        return ''
      } catch (error) {
        return error instanceof Error ? error.message : ''
      }
    })()
    for (const [name] of wrong) expect(message).toContain(`${name}=`)
    expect(message).not.toContain('hunter2')
  })

  test('an address beyond this machine needs authentication, or explicit permission', () => {
    const open = { MILLRACE_HOST: '0.0.0.0' }
    expect(() => readConfig(open, folder)).toThrow('MILLRACE_ALLOW_ANONYMOUS')
    expect(readConfig({ ...open, MILLRACE_ALLOW_ANONYMOUS: 'true' }, folder).host).toBe('0.0.0.0')
    expect(readConfig({ ...open, MILLRACE_AUTH_TOKEN: 'f3c1a9d27b60e845' }, folder).host).toBe('0.0.0.0')
    for (const host of ['localhost', '127.0.0.2', '[::1]', '::1']) {
      expect(readConfig({ MILLRACE_HOST: host }, folder).host).not.toContain('[')
    }
  })

  test('allowed hosts are normalised, and a public API without any gives a warning', () => {
    const open = { MILLRACE_HOST: '0.0.0.0', MILLRACE_ALLOW_ANONYMOUS: 'true' }
    expect(readConfig(open, folder).warnings).toEqual([expect.stringContaining('MILLRACE_ALLOWED_HOSTS')])
    const listed = readConfig({ ...open, MILLRACE_ALLOWED_HOSTS: 'A.example:80, fd00::0:5,*' }, folder)
    expect([listed.allowedHosts, listed.warnings]).toEqual([['a.example', '[fd00::5]', '*'], []])
    expect(readConfig({}, folder).warnings).toEqual([])
  })

  test('a user name without a password is refused', () => {
    expect(() => readConfig({ MILLRACE_AUTH_BASIC_USERNAME: 'ann' }, folder)).toThrow('without the other')
  })

  test('a queue that is named twice is refused', () => {
    expect(() => readConfig({ MILLRACE_QUEUES: 'a=1,a=2' }, folder)).toThrow('duplicates')
  })
})

test('an unknown variable with our prefix is a warning that names the nearest setting', () => {
  const { warnings } = readConfig(
    { MILLRACE_PROT: '1', MILLRACE_ZZZZZZZZZZZZZZZZ: '1', PATH: '/bin' },
    folder,
  )
  expect(warnings).toEqual([
    'MILLRACE_PROT is not a setting; did you mean MILLRACE_PORT?',
    'MILLRACE_ZZZZZZZZZZZZZZZZ is not a setting',
  ])
})

test('the settings cannot be changed once they are read', () => {
  const config = readConfig({ MILLRACE_QUEUES: 'a=1' }, folder)
  for (const part of [config, config.queues, config.queues[0], config.runner, config.auth]) {
    expect(Object.isFrozen(part)).toBe(true)
  }
})
