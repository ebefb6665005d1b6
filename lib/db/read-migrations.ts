import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

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

/** What brings a database with the earlier numbered files to those of this version. */
export function readUpgrade(): string {
  return readText('upgrade_from_0041.sql')
}

function readText(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}

/** At once: many small files take twice as long one by one through the thread pool. */
function readFiles(within: string, wanted: RegExp): readonly Migration[] {
  const names = readdirSync(new URL(`./${within}`, folder)).filter((name) => wanted.test(name))
  return names.sort().map((file) => {
    const name = `${within}${file}`
    const text = readText(name)
    return { name, text, hash: createHash('sha256').update(text).digest('hex') }
  })
}
