import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { findBinaries } from './binaries.ts'
import { startAs, wayWorks, waysToRun, type RunAs } from './run-as.ts'

/** A complete data folder of PostgreSQL, and how to run a server on it. */
export interface Cluster {
  readonly folder: string
  readonly dataFolder: string
  readonly password: string
  readonly way: RunAs
}

const databaseUser = 'millrace'

export function clusterUrl({ password }: Pick<Cluster, 'password'>, port: number): string {
  return `postgres://${databaseUser}:${password}@127.0.0.1:${port}/postgres`
}

/**
 * Opens the cluster below `parent`, creating it first if there is none. It is created in a temporary folder and renamed
 * when complete, so an interrupted creation is never visible, and one of two concurrent creators wins.
 * @param durable false for a throw-away server, whose files need not survive a power cut
 * @throws Error that lists the ways that were tried
 */
export async function openCluster(parent: string, options: { readonly durable: boolean }): Promise<Cluster> {
  const spare = join(parent, 'postgres-binaries')
  const binaries = findBinaries(spare)
  const folder = join(parent, 'postgres')
  const failures: string[] = []
  removeUnfinished(parent)
  if (!fs.existsSync(folder)) {
    for (const way of waysToRun(binaries, spare)) {
      const failure = await makeCluster(folder, way, options.durable)
      if (failure === undefined) break
      failures.push(`${way.name}: ${failure}`)
    }
    if (!fs.existsSync(folder))
      throw new Error(`no way to make a data folder worked (${failures.join('; ')})`)
  }
  const { uid, gid } = fs.statSync(folder)
  const ways = waysToRun(binaries, spare, { uid, gid })
  const way = ways.find((candidate) => wayWorks(candidate, folder))
  if (way === undefined) {
    const tried = ways.map((candidate) => candidate.name).join(', ')
    throw new Error(`the programs cannot be run on ${folder}, which belongs to user ${uid} (tried: ${tried})`)
  }
  const password = fs.readFileSync(join(folder, 'password'), 'utf8')
  return { folder, dataFolder: join(folder, 'data'), password, way }
}

/** @returns the reason for the failure, or undefined on success */
async function makeCluster(folder: string, way: RunAs, durable: boolean): Promise<string | undefined> {
  const fresh = fs.mkdtempSync(`${folder}.new-`)
  try {
    const password = randomBytes(24).toString('base64url')
    fs.writeFileSync(join(fresh, 'password'), password, { mode: 0o600 })
    fs.mkdirSync(join(fresh, 'data'), { mode: 0o700 })
    for (const path of [join(fresh, 'password'), join(fresh, 'data'), fresh]) giveTo(way, path)
    if (!wayWorks(way, fresh)) return 'the programs do not start, or the folder cannot be entered'
    const failure = await initialize(fresh, way, durable)
    if (failure !== undefined) return failure
    fs.chmodSync(fresh, 0o700)
    fs.renameSync(fresh, folder)
    return undefined
  } catch (error) {
    if (fs.existsSync(folder)) return undefined
    return error instanceof Error ? error.message : String(error)
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true })
  }
}

async function initialize(fresh: string, way: RunAs, durable: boolean): Promise<string | undefined> {
  const login = ['--username', databaseUser, '--pwfile', join(fresh, 'password'), '--auth=scram-sha-256']
  const text = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const args = ['-D', join(fresh, 'data'), ...login, ...text, ...(durable ? [] : ['--no-sync'])]
  const child = startAs(way, way.binaries().initdb, args, { cwd: fresh, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return code === 0 ? undefined : output.trim() || `initdb ended with ${code}`
}

function giveTo(way: RunAs, path: string): void {
  const uid = process.getuid?.()
  if (uid === 0 && way.owner.uid !== 0) fs.chownSync(path, way.owner.uid, way.owner.gid)
}

/** Removes unfinished folders older than ten minutes, left by killed creators; creation takes seconds. */
function removeUnfinished(parent: string): void {
  for (const name of fs.readdirSync(parent).filter((entry) => entry.startsWith('postgres.new-'))) {
    const path = join(parent, name)
    const age = Date.now() - (fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > 600_000) fs.rmSync(path, { recursive: true, force: true })
  }
}
