import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { writeBackup } from '#lib/db/backup.ts'
import type { Output } from './output.ts'
import { runTool } from './run-tool.ts'

/** Writes what the database holds into a compressed file, which is there only when it is whole. Ends the process. */
export async function takeBackup(file: string, output: Output): Promise<never> {
  return await runTool('backup', async ({ databaseUrl }) => {
    const draft = `${file}.part`
    // It holds digests of passwords and keys.
    const target = await open(draft, 'w', 0o600)
    try {
      const zip = createGzip()
      const written = pipeline(zip, target.createWriteStream({ flush: true }))
      written.catch(() => undefined)
      const { rows } = await writeBackup(databaseUrl, async (text) => {
        if (!zip.write(text)) await Promise.race([once(zip, 'drain'), written])
      })
      zip.end()
      await written
      await rename(draft, file)
      output.show({ file, rows }, `${file} holds ${rows['dag'] ?? 0} DAGs and ${rows['dag_run'] ?? 0} runs`)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  })
}
