import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { clusterUrl } from './cluster.ts'
import { readPostmaster } from './postmaster-file.ts'

/** The URL of the embedded PostgreSQL of a data folder, if it is running. Starts nothing. */
export function runningUrl(folder: string): string | undefined {
  try {
    const cluster = join(realpathSync(folder), 'postgres')
    const server = readPostmaster(join(cluster, 'data'))
    if (server.state !== 'ready') return undefined
    return clusterUrl({ password: readFileSync(join(cluster, 'password'), 'utf8') }, server.port)
  } catch {
    return undefined
  }
}
