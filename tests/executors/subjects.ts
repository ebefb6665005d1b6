import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import type { StepContext } from '#lib/executors/executor.ts'
import type { LocalExecutorType } from '#lib/executors/registry.ts'
import { openMailbox } from '#tests/support/mailbox.ts'
import { containers, dockerHost, image, reachEngine, sh } from './docker/engine.ts'
import { hasSshd, startSshd } from './ssh/sshd.ts'

type Given = Partial<StepContext>

/** One executor as the contract suite sees it. What an executor cannot do by its nature is absent. */
export interface Subject {
  /** A step that prints these bytes and succeeds. */
  readonly prints?: (bytes: Buffer) => Given
  /** A step that prints this text, handed over as a value, and a line feed. */
  readonly echoes: (value: string) => Given
  /** What `echoes` last delivered, if not to standard output. */
  readonly received?: () => string
  /** A step that fails for a reason of its own. */
  readonly fails: Given
  /** A step that never ends and prints nothing. */
  readonly hangs: Given
  /** Whether the step of `hangs` hangs yet. */
  readonly isHanging: () => boolean | Promise<boolean>
  /** A step that prints 20 MB and succeeds. */
  readonly floods?: Given
  /** What is left of steps that have ended. */
  readonly leftovers: () => unknown[] | Promise<unknown[]>
  readonly close?: () => void | Promise<void>
}

const flood = 20_000_000

/** Processes whose whole command line is this. */
function processes(command: string): string[] {
  const all = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n')
  return all.filter((line) => line.trim() === command)
}

const printing = (bytes: Buffer): string => `printf %s '${bytes.toString('base64')}' | base64 -d`

/** Steps of the executors that run commands. The number identifies their sleeping processes. */
function commandSteps(
  seconds: number,
): Pick<Subject, 'fails' | 'hangs' | 'floods' | 'isHanging' | 'leftovers'> {
  return {
    fails: { commands: ['echo why >&2; exit 3'] },
    hangs: { commands: [`sleep ${seconds} & sleep ${seconds}`] },
    floods: { commands: [`head -c ${flood} /dev/zero`] },
    isHanging: () => processes(`sleep ${seconds}`).length === 2,
    leftovers: () => processes(`sleep ${seconds}`),
  }
}

function shell(): Subject {
  return {
    ...commandSteps(10_000_000 + process.pid),
    prints: (bytes) => ({ commands: [printing(bytes)] }),
    echoes: (value) => ({
      commands: [`printf '%s\\n' "$VALUE"`],
      env: { PATH: process.env['PATH'] ?? '', VALUE: value },
    }),
  }
}

async function ssh(): Promise<Subject | undefined> {
  if (!hasSshd) {
    console.warn('SKIPPED: the contract of the ssh executor needs an ssh server')
    return undefined
  }
  const sshd = await startSshd()
  const config = { ...sshd.login }
  const { fails, hangs, floods, ...others } = commandSteps(20_000_000 + process.pid)
  return {
    ...others,
    fails: { ...fails, config },
    hangs: { ...hangs, config },
    floods: { ...floods, config },
    prints: (bytes) => ({ commands: [printing(bytes)], config }),
    echoes: (value) => ({ commands: [`printf '%s\\n' "$VALUE"`], env: { VALUE: value }, config }),
    close: sshd.stop,
  }
}

async function docker(): Promise<Subject | undefined> {
  const engine = await reachEngine()
  if (engine === undefined) return undefined
  const seconds = 30_000_000 + process.pid
  const labels = { 'millrace.test': String(process.pid) }
  const base = {
    image,
    pull: 'never',
    autoRemove: true,
    container: { labels },
    host: {},
    network: {},
    exec: {},
  }
  const context = { env: { DOCKER_HOST: dockerHost }, config: { ...base, registryAuths: {} } }
  const { fails: _, hangs: __, floods: ___, ...others } = commandSteps(seconds)
  return {
    ...others,
    prints: (bytes) => ({ ...context, commands: [sh(printing(bytes))] }),
    echoes: (value) => ({ ...context, commands: [`printf '%s\\n' '${value.replaceAll("'", `'\\''`)}'`] }),
    fails: { ...context, commands: [sh('echo why >&2; exit 3')] },
    hangs: { ...context, commands: [sh(`sleep ${seconds} & sleep ${seconds}`)] },
    floods: { ...context, commands: [sh(`head -c ${flood} /dev/zero`)] },
    leftovers: async () => [...processes(`sleep ${seconds}`), ...(await containers(engine))],
  }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function http(): Promise<Subject> {
  let waiting = 0
  const server = createHttpServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
    if (pathname === '/bytes') answer.end(Buffer.from(searchParams.get('of') ?? '', 'base64'))
    else if (pathname === '/tell') answer.end(`${searchParams.get('value')}\n`)
    else if (pathname === '/flood') answer.end(Buffer.alloc(flood))
    else if (pathname === '/fail') answer.writeHead(503).end()
    else {
      waiting += 1
      answer.on('close', () => (waiting -= 1))
    }
  })
  const base = `http://127.0.0.1:${await listening(server)}`
  const get = (path: string, query = {}): Given => ({
    commands: [`GET ${base}/${path}`],
    config: { silent: true, query },
  })
  return {
    prints: (bytes) => get('bytes', { of: bytes.toString('base64') }),
    echoes: (value) => get('tell', { value }),
    fails: get('fail'),
    hangs: get('hang'),
    floods: get('flood'),
    isHanging: () => waiting === 1,
    leftovers: () => Array.from({ length: waiting }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function jq(): Subject {
  let begun = false
  return {
    echoes: (value) => ({
      commands: ['$VALUE'],
      script: 'null',
      env: { VALUE: value },
      config: { raw: true },
    }),
    fails: { commands: ['error("why")'], script: 'null' },
    get hangs() {
      begun = true
      return { commands: ['def f: f; f'], script: 'null' }
    },
    isHanging: () => begun,
    leftovers: () => process.getActiveResourcesInfo().filter((name) => name === 'Worker'),
  }
}

async function mail(): Promise<Subject> {
  const mailbox = await openMailbox()
  let open = 0
  const silent = createServer((socket) => {
    open += 1
    socket.on('close', () => (open -= 1)).resume()
  })
  const silentPort = await listening(silent)
  const to = (address: string, port: string, message = ''): Given => ({
    config: {
      smtp: { host: '127.0.0.1', port },
      from: 'jobs@example.org',
      to: [address],
      subject: 'news',
      message,
      attachments: [],
    },
  })
  return {
    echoes: (value) => to('ann@example.org', mailbox.port, value),
    received: () => mailbox.received.at(-1)?.mail.text ?? '',
    fails: to('nobody@example.org', mailbox.port),
    hangs: to('ann@example.org', String(silentPort)),
    isHanging: () => open === 1,
    leftovers: () => Array.from({ length: open }),
    close: async () => {
      await mailbox.close()
      silent.close()
    },
  }
}

/** Each executor with a real peer; undefined where this machine has none. */
export const subjects: Readonly<
  Record<LocalExecutorType, () => Subject | undefined | Promise<Subject | undefined>>
> = { shell, docker, ssh, http, mail, jq }
