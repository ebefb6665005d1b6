/**
 * `npm run move-logs -- --from URL --to URL`: brings the logs of all runs from one store to another, while no runner
 * works. What was moved stays where it was, except in a bucket; a move that broke off is simply started again.
 */
import { parseArgs } from 'node:util'
import { openLogStore } from '#lib/app/compose.ts'
import { readConfig } from '#lib/config/config.ts'
import type { LogStorePlace } from '#lib/config/log-store-place.ts'
import type { Database } from '#lib/db/client.ts'
import { migrate } from '#lib/db/migrate.ts'
import { listLogKeys } from '#lib/logs/list-log-keys.ts'
import type { LogKey } from '#lib/logs/log-store.ts'
import { moveLog } from '#lib/logs/move-log.ts'
import { openBucket } from '#lib/logs/s3-bucket.ts'
import { unseal } from '#lib/logs/s3-log-store.ts'
import { runPart } from './run-part.ts'

const usage = 'usage: npm run move-logs -- --from URL --to URL   (as in MILLRACE_LOG_STORE)'
const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } })

async function move(db: Database, from: LogStorePlace, to: LogStorePlace): Promise<void> {
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
      console.error(`differs, left as it is: ${target.describe(key)}`)
    } else if (moved > 0) {
      counts.logs++
      counts.bytes += moved
      if (counts.logs % 1_000 === 0) console.error(`${counts.logs} logs, ${counts.bytes} bytes`)
    }
  }
  console.log(JSON.stringify(counts))
  if (counts.differing > 0) throw new Error('some logs exist in both stores and differ')
}

await runPart('migrate', async ({ parts, environment }) => {
  const placeOf = (url: string | undefined): LogStorePlace => {
    if (url === undefined) throw new Error(usage)
    return readConfig({ ...environment, MILLRACE_LOG_STORE: url }).logStore
  }
  const [from, to] = [placeOf(values.from), placeOf(values.to)]
  await migrate(parts.db)
  await move(parts.db, from, to)
  return 'done'
})
