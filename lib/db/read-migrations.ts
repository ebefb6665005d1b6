import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../migrations/', import.meta.url)

/** A numbered file, or the file of a function, such as `functions/claim_runs.sql`. */
export interface Migration {
  readonly name: string
  readonly text: string
  readonly hash: string
}

/** The SQL functions, and their revision, which increases whenever one of them changes. */
export interface SqlFunctions {
  readonly revision: number
  readonly files: readonly Migration[]
}

/** The numbered files, in order. Cached: files do not change while a program runs. */
export function readMigrations(): readonly Migration[] {
  return (numbered ??= readFiles('', /^\d{4}_\w+\.sql$/))
}

let numbered: readonly Migration[] | undefined

/** The functions, by name. */
export function readFunctions(): SqlFunctions {
  return (functions ??= { ...readRevision(), files: readFiles('functions/', /^\w+\.sql$/) })
}

let functions: SqlFunctions | undefined

function readRevision(): { revision: number } {
  const { revision } = JSON.parse(readText('functions/revision.json')) as { revision: number }
  return { revision }
}

/** The script that upgrades a database with the earlier numbered files. */
export function readUpgrade(): string {
  return readText('upgrade_from_0041.sql')
}

function readText(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}

/** Synchronous: reading many small files through the thread pool takes twice as long. */
function readFiles(within: string, wanted: RegExp): readonly Migration[] {
  const names = readdirSync(new URL(`./${within}`, folder)).filter((name) => wanted.test(name))
  return names.sort().map((file) => {
    const name = `${within}${file}`
    const text = readText(name)
    return { name, text, hash: createHash('sha256').update(text).digest('hex') }
  })
}
