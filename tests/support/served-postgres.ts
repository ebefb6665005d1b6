import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { GenericContainer, Wait } from 'testcontainers'
import { afterAll } from 'vitest'
import { freePort } from '#local/postgres/free-port.ts'
import { dockerHost } from '#tests/executors/docker/engine.ts'
import { certificate } from './certificate.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { prepareTestcontainers } from './testcontainers.ts'

/** A PostgreSQL in a container, with its own defaults, as an administrator serves it to a program. */
export interface ServedPostgres {
  /** Of an empty database, as its owner, who has no other rights. TLS and a password are demanded. */
  readonly url: string
  /** Runs a statement as the superuser, on that database. @returns the rows, as psql prints them */
  readonly administer: (statement: string) => Promise<string>
  /** Stops and starts it, on the same volume and port. @param graceMs before it is killed */
  readonly restart: (graceMs: number) => Promise<void>
}

const top = new URL('../..', import.meta.url).pathname
const owner = 'ward'
const rules = 'local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n'

/** Serves one until the end of the file; undefined, and a line that says why, where that is not possible. */
export async function servePostgres(): Promise<ServedPostgres | undefined> {
  if (!(await prepareTestcontainers())) return undefined
  const [programs] = globSync('/usr/lib/postgresql/*/lib/llvmjit.so').toSorted()
  if (programs === undefined) {
    console.warn('SKIPPED: the tests of a served PostgreSQL need the programs of one (Debian: postgresql)')
    return undefined
  }
  return await serve(makeImage(basename(dirname(dirname(programs)))))
}

function makeImage(major: string): string {
  const env = { ...process.env, DOCKER_HOST: dockerHost }
  const options = { cwd: top, env, encoding: 'utf8' } as const
  return execFileSync('sh', ['infra/ci/image-postgres.sh', major], options).trim()
}

async function serve(image: string): Promise<ServedPostgres> {
  const root = certificate(temporaryFolder('millrace-served'), 'server')
  const [port, password] = [await freePort(), randomBytes(24).toString('base64url')]
  const files = { 'server.crt': readFileSync(root), 'server.key': readFileSync(root.replace(/crt$/, 'key')) }
  const options = {
    port,
    listen_addresses: '127.0.0.1',
    ssl: 'on',
    ssl_cert_file: '/etc/server.crt',
    ssl_key_file: '/etc/server.key',
    hba_file: '/etc/rules',
  }
  const container = await new GenericContainer(image)
    .withNetworkMode('host')
    .withCopyContentToContainer(
      Object.entries({ ...files, rules }).map(([name, content]) => ({
        content,
        target: `/etc/${name}`,
        mode: 0o640,
      })),
    )
    .withCommand(Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]))
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections'))
    .start()
  afterAll(async () => void (await container.stop()))

  const psql = async (database: string, statement: string): Promise<string> => {
    const args = ['-p', String(port), '-d', database, '-v', 'ON_ERROR_STOP=1', '-qAtc', statement]
    const { exitCode, output } = await container.exec(['psql', ...args])
    if (exitCode !== 0) throw new Error(output)
    return output.trim()
  }
  await psql('postgres', `create role ${owner} login password '${password}'`)
  await psql('postgres', `create database ${owner} owner ${owner}`)
  return {
    url: `postgres://${owner}:${password}@localhost:${port}/${owner}?sslmode=verify-full&sslrootcert=${root}`,
    administer: (statement) => psql(owner, statement),
    restart: (graceMs) => container.restart({ timeout: graceMs }),
  }
}
