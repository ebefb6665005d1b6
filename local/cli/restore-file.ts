import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { restoreBackup } from '#lib/db/restore.ts'
import { expireLeases } from '#lib/runs/claim/expire-leases.ts'
import type { Output } from './output.ts'
import type { Closing } from '../closing.ts'
import { refuseBesideRunners } from './refuse-beside-runners.ts'
import { runTool } from './run-tool.ts'

/** Restores a file of `millrace backup` into an empty database; `-` is standard input. Ends the process. */
export async function restoreFile(file: string, how: { replace: boolean }, output: Output): Promise<never> {
  return await runTool('restore', async (start) => {
    const { deps, databaseUrl } = start
    if (how.replace) await refuseBesideRunners(start)
    const stored = file === '-' ? await storeInput(start.closing) : file
    const open = (): AsyncIterable<string> => {
      const source = createReadStream(stored)
      const text = source.pipe(createGunzip())
      source.once('error', (error) => text.destroy(error))
      return linesOf(text.setEncoding('utf8'))
    }
    const { rows } = await restoreBackup(deps.db, databaseUrl, open, how)
    // No owner of a run works on this database, so active runs may be taken over at once.
    await expireLeases(deps.db)
    output.show({ file, rows }, `${rows['dag'] ?? 0} DAGs and ${rows['dag_run'] ?? 0} runs are restored`)
  })
}

/** Saves standard input to a file, because a backup is read twice: first to check it, then to restore it. */
async function storeInput(closing: Closing): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-restore-'))
  closing.add('copy of the backup', () => rm(folder, { recursive: true }))
  const file = join(folder, 'backup.gz')
  await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }))
  return file
}

/** Splits at line feeds only: values may contain other characters that readline treats as line ends. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest: string[] = []
  for await (const text of texts) {
    const [first = '', ...others] = text.split('\n')
    rest.push(first)
    const last = others.pop()
    if (last === undefined) continue
    yield rest.join('')
    yield* others
    rest = [last]
  }
  if (rest.join('') !== '') yield rest.join('')
}
