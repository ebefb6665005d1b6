import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const folder = new URL('../../migrations/', import.meta.url)

/** A numbered file, or one of functions: `functions/claim_runs.sql`. */
export interface Migration {
  readonly name: string
  readonly text: string
  readonly hash: string
}

/** The SQL functions as they are, and the number of this state: it grows whenever a function changes. */
export interface SqlFunctions {
  readonly revision: number
  readonly files: readonly Migration[]
}

/** The numbered files in their order. Files do not change while a program runs. */
export function readMigrations(): Promise<readonly Migration[]> {
  return (numbered ??= readFiles('', /^\d{4}_\w+\.sql$/))
}

let numbered: Promise<readonly Migration[]> | undefined

/** The functions, by name. */
export function readFunctions(): Promise<SqlFunctions> {
  return (functions ??= readRevision())
}

let functions: Promise<SqlFunctions> | undefined

async function readRevision(): Promise<SqlFunctions> {
  const [files, text] = await Promise.all([
    readFiles('functions/', /^\w+\.sql$/),
    readFile(new URL('functions/revision.json', folder), 'utf8'),
  ])
  return { revision: (JSON.parse(text) as { revision: number }).revision, files }
}

/** What brings a database with the numbered files of before to those of now. */
export function readUpgrade(): Promise<string> {
  return readFile(new URL('upgrade_from_0041.sql', folder), 'utf8')
}

async function readFiles(within: string, wanted: RegExp): Promise<readonly Migration[]> {
  const names = (await readdir(new URL(`./${within}`, folder))).filter((name) => wanted.test(name)).sort()
  return await Promise.all(
    names.map(async (file) => {
      const name = `${within}${file}`
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
