import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { writeBackup } from '#lib/db/backup.ts'
import type { Output } from './output.ts'
import { runTool } from './run-tool.ts'

type Rows = Readonly<Record<string, number>>

/** Writes a compressed backup of the database to a file, or to standard output for `-`. Ends the process. */
export async function takeBackup(file: string, output: Output): Promise<never> {
  return await runTool('backup', async ({ databaseUrl }) => {
    const rows = file === '-' ? await write(databaseUrl, process.stdout) : await toFile(databaseUrl, file)
    const text = `${rows['dag'] ?? 0} DAGs and ${rows['dag_run'] ?? 0} runs`
    if (file === '-') console.error(`the backup contains ${text}`)
    else output.show({ file, rows }, `${file} contains ${text}`)
  })
}

/** Writes the file atomically. */
async function toFile(databaseUrl: string, file: string): Promise<Rows> {
  const draft = `${file}.part`
  // Readable by the owner only: it contains digests of passwords and keys.
  await rm(draft, { force: true })
  const target = await open(draft, 'wx', 0o600)
  try {
    const rows = await write(databaseUrl, target.createWriteStream({ flush: true }))
    await rename(draft, file)
    return rows
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function write(databaseUrl: string, target: Writable): Promise<Rows> {
  const zip = createGzip()
  const written = pipeline(zip, target, { end: target !== process.stdout })
  written.catch(() => undefined)
  const { rows } = await writeBackup(databaseUrl, async (text) => {
    if (!zip.write(text)) await Promise.race([once(zip, 'drain'), written])
  })
  zip.end()
  await written
  return rows
}
