/** `npm run restore -- FILE [--replace]`: fills an empty database from what `npm run backup` has written. */
import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { restoreBackup } from '#lib/db/restore.ts'
import { expireLeases } from '#lib/runs/expire-leases.ts'
import { runPart } from './run-part.ts'

/** Only line feeds end a line: values hold other characters that readline takes for one. */
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { replace: { type: 'boolean', default: false } },
})

await runPart('migrate', async ({ parts, databaseUrl }) => {
  const [file] = positionals
  if (file === undefined) throw new Error('usage: npm run restore -- FILE [--replace]')
  const open = (): AsyncIterable<string> => {
    const source = createReadStream(file)
    const text = source.pipe(createGunzip())
    source.once('error', (error) => text.destroy(error))
    return linesOf(text.setEncoding('utf8'))
  }
  const { rows } = await restoreBackup(parts.db, databaseUrl, open, values)
  // Nobody who held a run works on this database: what was under way may be taken over at once.
  await expireLeases(parts.db)
  console.log(JSON.stringify({ file, rows }))
  return 'done'
})
