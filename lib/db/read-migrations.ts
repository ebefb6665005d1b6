import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const folder = new URL('../../migrations/', import.meta.url)

export interface Migration {
  readonly name: string
  readonly text: string
  readonly hash: string
}

/** The migrations in their order. They do not change while a program runs. */
export function readMigrations(): Promise<readonly Migration[]> {
  return (own ??= readFolder())
}

let own: Promise<readonly Migration[]> | undefined

async function readFolder(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
