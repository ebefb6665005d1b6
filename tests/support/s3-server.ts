import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { AccessKey } from '#lib/logs/access-keys.ts'
import { openBucket, type S3Bucket, type S3Location } from '#lib/logs/s3-bucket.ts'
import { until } from './until.ts'

const installed = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/** Whether OpenStack Swift is installed (as by `.ci/run`), whose S3 API checks signatures. */
export const hasS3 =
  process.getuid?.() === 0 && ['swift-proxy-server', 'swift-object-server', 'memcached'].every(installed)
if (!hasS3)
  console.warn('tests of logs in S3 are skipped: OpenStack Swift is not installed, or this is not root')

export interface S3Server {
  readonly location: S3Location & { readonly credentials: AccessKey }
  readonly bucket: S3Bucket
  /** The value for MILLRACE_LOG_STORE. */
  readonly storeUrl: string
  /** Stops accepting calls until `start`. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

/** Starts a server with one bucket, until the test file ends. */
export async function s3Server(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-s3-'))
  const [port = 0, account = 0, container = 0, object = 0, cache = 0] = await freePorts(5)
  prepare(folder, { proxy: port, account, container, object, cache })
  const backends = (['account', 'container', 'object'] as const).map((part) => run(folder, part))
  backends.push(
    spawn('memcached', ['-u', 'nobody', '-l', '127.0.0.1', '-p', `${cache}`], { stdio: 'ignore' }),
  )
  let proxy: ChildProcess | undefined
  const start = async (): Promise<void> => {
    proxy = run(folder, 'proxy')
    await untilIt('answers', async () => {
      return (await fetch(`http://127.0.0.1:${port}/`)).status > 0
    })
  }
  const stop = async (): Promise<void> => await end(proxy)
  const close = async (): Promise<void> => {
    await stop()
    await Promise.all(backends.map(end))
    rmSync(folder, { recursive: true, force: true })
  }
  afterAll(close)
  const endpoint = `http://127.0.0.1:${port}`
  const location: S3Server['location'] = {
    bucket: 'logs',
    prefix: 'of-a-test/',
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test:tester', secretAccessKey: 'testing', sessionToken: undefined },
  }
  try {
    await start()
    await makeBucket(location)
  } catch (error) {
    // afterAll does not run if the test file fails on import.
    await close()
    throw error
  }
  const storeUrl = `s3://logs/of-a-test/?${new URLSearchParams({ endpoint }).toString()}`
  return { location, bucket: openBucket(location), storeUrl, start, stop }
}

/** Creates the bucket, which is its own empty key. The first calls may fail until Swift has read its rings. */
async function makeBucket(location: S3Location): Promise<void> {
  const root = openBucket({ ...location, prefix: '' })
  await untilIt('makes the bucket', async () => {
    await root.put('', new Uint8Array())
    return true
  })
}

/** Waits up to a minute: Swift takes seconds to start, and longer on a busy machine. */
async function untilIt(what: string, ask: () => Promise<boolean>): Promise<void> {
  await until(`the S3 server ${what}`, () => ask().catch(() => false), { withinMs: 60_000, everyMs: 50 })
}

type Part = 'proxy' | 'account' | 'container' | 'object'

function prepare(folder: string, ports: Readonly<Record<Part | 'cache', number>>): void {
  mkdirSync(join(folder, 'srv', 'd1'), { recursive: true })
  const hash = '/etc/swift/swift.conf'
  if (!existsSync(hash)) {
    mkdirSync('/etc/swift', { recursive: true })
    writeFileSync(hash, '[swift-hash]\nswift_hash_path_suffix = millrace\nswift_hash_path_prefix = tests\n')
  }
  const common = (part: Part): string[] => [
    '[DEFAULT]',
    'bind_ip = 127.0.0.1',
    `bind_port = ${ports[part]}`,
    'workers = 0',
    'user = root',
    `swift_dir = ${folder}`,
    'log_level = WARNING',
  ]
  for (const part of ['account', 'container', 'object'] as const) {
    const build = (...args: string[]): void => {
      spawnSync('swift-ring-builder', [`${part}.builder`, ...args], { cwd: folder })
    }
    build('create', '4', '1', '1')
    build('add', `r1z1-127.0.0.1:${ports[part]}/d1`, '1')
    build('rebalance')
    write(folder, part, [
      ...common(part),
      `devices = ${join(folder, 'srv')}`,
      'mount_check = false',
      'fallocate_reserve = 0',
      'disable_fallocate = true',
      '[pipeline:main]',
      `pipeline = ${part}-server`,
      `[app:${part}-server]`,
      `use = egg:swift#${part}`,
    ])
  }
  write(folder, 'proxy', [
    ...common('proxy'),
    '[pipeline:main]',
    'pipeline = catch_errors cache s3api tempauth proxy-server',
    '[app:proxy-server]',
    'use = egg:swift#proxy',
    'allow_account_management = true',
    'account_autocreate = true',
    // Otherwise it avoids a slow backend for a minute.
    'error_suppression_interval = 0',
    '[filter:catch_errors]',
    'use = egg:swift#catch_errors',
    '[filter:cache]',
    'use = egg:swift#memcache',
    `memcache_servers = 127.0.0.1:${ports.cache}`,
    '[filter:s3api]',
    'use = egg:swift#s3api',
    'location = us-east-1',
    'auth_pipeline_check = false',
    '[filter:tempauth]',
    'use = egg:swift#tempauth',
    'user_test_tester = testing .admin',
  ])
}

function write(folder: string, part: Part, lines: readonly string[]): void {
  writeFileSync(join(folder, `${part}.conf`), `${lines.join('\n')}\n`)
}

function run(folder: string, part: Part): ChildProcess {
  return spawn(`swift-${part}-server`, [`${part}.conf`], { cwd: folder, stdio: 'ignore' })
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** Ports that are free now, below the ephemeral range. */
async function freePorts(count: number): Promise<number[]> {
  const free = new Set<number>()
  while (free.size < count) {
    const port = randomInt(20_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (isFree) free.add(port)
    server.close()
  }
  return [...free]
}
