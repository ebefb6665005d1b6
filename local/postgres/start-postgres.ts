import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterUrl, openCluster, type Cluster } from './cluster.ts'
import { isHeld, takeHold } from './hold.ts'
import { lastPort, launch } from './launch.ts'
import { disownPostmasterFile, readPostmaster } from './postmaster-file.ts'
import { processState } from './process-state.ts'

export interface EmbeddedPostgres {
  /** URL with the password, on 127.0.0.1. Constant while this process runs. */
  readonly url: string
  readonly pid: number
  /** True when the server was already running. */
  readonly adopted: boolean
  /** Releases the server, which stops cleanly after its last user. Waits for the stop if this process started it. */
  close(): Promise<void>
}

interface Options {
  /** Parent folder; the server uses `postgres` below it. Created if missing. */
  readonly folder: string
  /** False: a throw-away server without fsync, whose folder is removed at the end. */
  readonly durable: boolean
  /** Called when the server died and could not be restarted. */
  readonly onLost?: (error: Error) => void
}

const startWithinMs = 60_000
const zombieWaitMs = 3_000
/** If the pipe is still held after this many probes, 10 ms apart, another process uses the server. */
const releaseProbesMax = 200

/**
 * Starts the embedded PostgreSQL on a folder, or adopts the server that runs there. A server that dies (killed, out of
 * memory) is restarted on the same port.
 * @throws Error that names DATABASE_URL, when nothing works on this machine
 */
export async function startPostgres(options: Options): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') throw unavailable(new Error('it needs a POSIX system'))
  try {
    // When we are root, the user of PostgreSQL must be able to traverse this folder; its contents have their own modes.
    mkdirSync(options.folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    const cluster = await openCluster(realpathSync(options.folder), options)
    return await attach(cluster, options)
  } catch (cause) {
    throw unavailable(cause)
  }
}

async function attach(cluster: Cluster, options: Options): Promise<EmbeddedPostgres> {
  const remove = !options.durable
  let hold = takeHold(cluster.folder, { remove })
  let server = await bringUp(cluster, options.durable, undefined)
  const { port, adopted } = server
  let healing: Promise<void> | undefined

  const heal = async (): Promise<void> => {
    try {
      if (!isHeld(cluster.folder)) {
        hold.release()
        hold = takeHold(cluster.folder, { remove })
      }
      server = await bringUp(cluster, options.durable, port)
      if (server.port !== port) throw new Error(`its port ${port} was taken by another program`)
    } catch (cause) {
      clearInterval(watch)
      options.onLost?.(new Error('the embedded PostgreSQL ended and did not come back', { cause }))
    } finally {
      healing = undefined
    }
  }
  const watch = setInterval(() => {
    const sound = processState(server.pid) === 'running' && isHeld(cluster.folder)
    if (!sound) healing ??= heal()
  }, 500).unref()

  const end = async (): Promise<void> => {
    clearInterval(watch)
    await healing
    hold.release()
    if (!adopted) await waitUntilStopped(cluster, server.pid)
    if (remove) rmSync(join(cluster.folder, '..'), { recursive: true, force: true })
  }
  let ending: Promise<void> | undefined
  return {
    url: clusterUrl(cluster, port),
    adopted,
    get pid() {
      return server.pid
    },
    close: () => (ending ??= end()),
  }
}

/** Retries until a server is ready, ours or another process's, whatever state a previous one left in the folder. */
async function bringUp(
  cluster: Cluster,
  durable: boolean,
  wantedPort: number | undefined,
): Promise<{ pid: number; port: number; adopted: boolean }> {
  const until = Date.now() + startWithinMs
  let patience = zombieWaitMs
  let failure = 'it does not become ready'
  let port = wantedPort ?? lastPort(cluster)
  while (Date.now() < until) {
    const found = readPostmaster(cluster.dataFolder)
    if (found.state === 'ready') return { pid: found.pid, port: found.port, adopted: true }
    if (found.state === 'changing' || (found.state === 'zombie' && patience > 0)) {
      if (found.state === 'zombie') patience -= 20
      await sleep(20)
      continue
    }
    if (found.state !== 'none') disownPostmasterFile(cluster.dataFolder, found.pid)
    const outcome = await launch(cluster, { durable, port })
    if ('port' in outcome) return { ...outcome, adopted: false }
    failure = outcome.failure
    // Another process started one first, backends of a killed server are still exiting, or the port is taken.
    if (/could not create any TCP/.test(failure)) port = undefined
    await sleep(200)
  }
  throw new Error(failure)
}

/** Waits until the watchdog has stopped the server, unless another process still uses it. */
async function waitUntilStopped(cluster: Cluster, pid: number): Promise<void> {
  for (let probe = 0; isHeld(cluster.folder); probe++) {
    if (probe === releaseProbesMax) return
    await sleep(10)
  }
  while (processState(pid) === 'running') await sleep(10)
}

function unavailable(cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause)
  const folder = why.endsWith('is not installed')
    ? ''
    : ', or MILLRACE_DATA_DIR to a folder that an unprivileged user may enter'
  return new Error(
    `the embedded PostgreSQL cannot run here: ${why}. Set DATABASE_URL to a PostgreSQL 15 or newer${folder}`,
    { cause },
  )
}
