/** `npm run backup -- FILE`: writes what the database holds into a compressed file, while the service works. */
import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { writeBackup } from '#lib/db/backup.ts'
import { runPart } from './run-part.ts'

await runPart('migrate', async ({ databaseUrl }) => {
  const [file] = process.argv.slice(2)
  if (file === undefined) throw new Error('usage: npm run backup -- FILE')
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
    console.log(JSON.stringify({ file, rows }))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return 'done'
})
