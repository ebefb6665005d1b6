import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '#lib/core/errors.ts'
import { makeFolder } from '#lib/files/make-folder.ts'
import { openBucket, type S3Bucket } from '#lib/logs/s3-bucket.ts'
import { fail, ok, warn, type Check, type ServiceView } from './check.ts'

export const logStoreCheck: Check<ServiceView> = {
  name: 'log store',
  async find({ config: { logStore, logBytesMax }, db }) {
    if (logStore.kind === 'file') return await checkFolder(logStore.folder, logBytesMax)
    if (logStore.kind === 's3') return await checkBucket(openBucket(logStore))
    const [row] = await db.sql<{ writable: boolean }[]>`
      select has_table_privilege('millrace.log_chunk', 'insert') as writable`
    if (row?.writable === true) return ok('postgres: accepts output')
    return fail(
      'postgres: the user may not write',
      'grant insert on millrace.log_chunk to the user of DATABASE_URL',
    )
  },
}

async function checkBucket(bucket: S3Bucket) {
  const probe = `.doctor-${process.pid}`
  try {
    await bucket.put(probe, Buffer.from('a line\n'))
    await bucket.remove(probe)
    return ok(`${bucket.url} accepts output`)
  } catch (error) {
    const advice = 'check bucket, endpoint and key; meanwhile Postgres keeps the logs'
    return fail(`${bucket.url} accepts no output: ${messageOf(error)}`, advice)
  }
}

async function checkFolder(folder: string, streamBytesMax: number) {
  const probe = join(folder, `.doctor-${process.pid}`)
  try {
    makeFolder(folder, 0o700)
    await writeFile(probe, 'a line\n', { mode: 0o600 })
    await rm(probe)
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < streamBytesMax) {
      return warn(
        `file:${folder} has ${megabytes(bavail * bsize)} MB left, less than one step may print`,
        `make room, or set MILLRACE_LOG_MAX_MB (${megabytes(streamBytesMax)}) lower`,
      )
    }
    return ok(`file:${folder} accepts output`)
  } catch (error) {
    return fail(
      `file:${folder} accepts no output: ${messageOf(error)}`,
      'set MILLRACE_LOG_STORE to a folder to write in',
    )
  }
}

const megabytes = (bytes: number): number => Math.floor(bytes / 1_048_576)
