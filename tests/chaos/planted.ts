import { asyncProperty, check } from 'fast-check'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '#lib/db/client.ts'
import { migrate } from '#lib/db/migrate.ts'
import { startPostgres } from '#local/postgres/start-postgres.ts'
import { urlOf } from '#tests/support/database-url.ts'
import { Interleaving, schedules } from '#tests/support/interleaving.ts'
import { sqlMutations, type SqlMutation } from './sql-mutations.ts'

export interface Planted {
  readonly fault: string
  /** The message of the failed test; undefined if the fault survived. */
  readonly caught: string | undefined
  readonly tookMs: number
}

/** How long to search with and without a planted fault. */
const limitMs = { none: 15_000, some: 60_000 }

/** Plants each fault in its own database and searches for it with the interleaving test. The first has no fault. */
export async function* plantAll(seed: number): AsyncGenerator<Planted> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-planted-'))
  chmodSync(folder, 0o711)
  const postgres = await startPostgres({ folder, durable: false })
  const admin = connect(postgres.url, { max: 1, applicationName: 'planted' })
  try {
    for (const [index, mutation] of [undefined, ...sqlMutations].entries()) {
      const name = `planted_${index}`
      await admin.sql.unsafe(`create database ${name}`)
      yield await plant(urlOf(postgres.url, name), mutation, seed)
      await admin.sql.unsafe(`drop database ${name} with (force)`)
    }
  } finally {
    await admin.close()
    await postgres.close()
  }
}

async function plant(url: string, mutation: SqlMutation | undefined, seed: number): Promise<Planted> {
  const eye = connect(url, { max: 2, applicationName: 'planted' })
  const actors = Array.from({ length: 4 }, () => connect(url, { max: 1, applicationName: 'planted' }))
  const begun = performance.now()
  try {
    await migrate(eye)
    if (mutation !== undefined) await mutate(eye, mutation)
    const interleaving = await Interleaving.begin(eye, actors)
    let caught: string | undefined
    const play = async (moves: Parameters<Interleaving['play']>[0]): Promise<void> => {
      try {
        await interleaving.play(moves)
      } catch (error) {
        caught ??= error instanceof Error ? error.message : String(error)
        throw error
      }
    }
    await check(asyncProperty(schedules, play), {
      seed,
      numRuns: 10_000,
      endOnFailure: true,
      interruptAfterTimeLimit: mutation === undefined ? limitMs.none : limitMs.some,
    })
    return { fault: mutation?.fault ?? 'no fault', caught, tookMs: performance.now() - begun }
  } finally {
    await Promise.all([eye, ...actors].map((client) => client.close()))
  }
}

/** @throws Error if the function no longer contains the text: then update the list */
async function mutate(db: Database, { fault, call, from, to }: SqlMutation): Promise<void> {
  const [row] = await db.sql<{ text: string }[]>`
    select pg_get_functiondef(p.oid) as text from pg_proc p
    where p.pronamespace = 'millrace'::regnamespace and p.proname = ${call}`
  const text = row?.text ?? ''
  if (!text.includes(from)) throw new Error(`${fault}: ${call} has no such text any more: ${from}`)
  await db.sql.unsafe(text.replaceAll(from, () => to))
}
