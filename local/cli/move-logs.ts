import { existsSync } from 'node:fs'
import { openLogStore } from '#lib/app/compose.ts'
import { readConfig } from '#lib/config/config.ts'
import { isLogStoreUrl, logStoreForms, type LogStoreLocation } from '#lib/config/log-store-location.ts'
import type { Database } from '#lib/db/client.ts'
import { migrate } from '#lib/db/migrate.ts'
import { listLogKeys } from '#lib/logs/list-log-keys.ts'
import type { LogKey } from '#lib/logs/log-store.ts'
import { moveLog } from '#lib/logs/move-log.ts'
import { openBucket } from '#lib/logs/s3-bucket.ts'
import { unseal } from '#lib/logs/s3-log-store.ts'
import type { Output } from './output.ts'
import { refuseBesideRunners } from './refuse-beside-runners.ts'
import { runTool } from './run-tool.ts'

interface Moved {
  logs: number
  bytes: number
  /** Logs that are in both stores and are not the same. */
  differing: number
}

/** Brings the logs of all runs from one store to another. Ends the process. */
export async function moveLogs(given: { from: string; to: string }, output: Output): Promise<never> {
  return await runTool('move-logs', async (start) => {
    const { deps, environment } = start
    const addressOf = (option: 'from' | 'to'): LogStoreLocation => {
      const url = given[option]
      if (isLogStoreUrl(url)) return readConfig({ ...environment, MILLRACE_LOG_STORE: url }).logStore
      throw new Error(`--${option} ${JSON.stringify(url)}: ${logStoreForms}`)
    }
    const [from, to] = [addressOf('from'), addressOf('to')]
    if (from.kind === 'file' && !existsSync(from.folder)) throw new Error(`there is no folder ${from.folder}`)
    await refuseBesideRunners(start)
    await migrate(deps.db)
    const moved = await move(deps.db, from, to, output)
    output.show(moved, `${moved.logs} logs with ${moved.bytes} bytes were moved`)
    if (moved.differing > 0) throw new Error(`${moved.differing} logs are in both stores and differ`)
  })
}

async function move(
  db: Database,
  from: LogStoreLocation,
  to: LogStoreLocation,
  output: Output,
): Promise<Moved> {
  const source = openLogStore(db, from)
  const target = openLogStore(db, to, (error) => {
    throw error
  })
  const moveOne = async (key: LogKey): Promise<number | 'differs'> => {
    if (from.kind === 'file' || to.kind === 'file') return await moveLog(key, source, target)
    // Both have their index in the same table: only the bytes go elsewhere.
    const { bytes } = await source.end(key)
    if (from.kind === 's3') await unseal(db, openBucket(from), key)
    await target.settle(key)
    return bytes
  }
  const counts = { logs: 0, bytes: 0, differing: 0 }
  for await (const key of listLogKeys(db)) {
    const moved = await moveOne(key)
    if (moved === 'differs') {
      counts.differing++
      console.error(`differs, not moved: ${target.describe(key)}`)
    } else if (moved > 0) {
      counts.logs++
      counts.bytes += moved
      output.progress(`${counts.logs} logs, ${counts.bytes} bytes`)
    }
  }
  return counts
}
