import { setImmediate } from 'node:timers/promises'
import { limits } from '#lib/core/limits.ts'
import { RecentlyUsed } from '#lib/core/recently-used.ts'
import type { Database } from '#lib/db/client.ts'
import { maskSpec } from '#lib/definition/masking/mask-spec.ts'
import { FoundDags, type FoundDag } from './search-dags.ts'
import { maskedSummary, type StoredSummary } from './summarize-dag.ts'

interface Row {
  readonly fileName: string
  readonly hash: string
  readonly summary: StoredSummary
}

/** Texts without their secrets, by the hash of their definition. */
const maskedTexts = new RecentlyUsed<string>(limits.maskedTextsKeptBytes)

/**
 * Searches the specs of all DAGs as readers see them who may not edit them. Postgres does not choose the texts: neither
 * the answer nor the time that it takes depends on what is hidden.
 */
export async function searchMaskedDags(db: Database, input: { text: string }): Promise<FoundDag[]> {
  const found = new FoundDags(input.text)
  for (let after = ''; ;) {
    const rows: Row[] = await db.sql<Row[]>`
      select file_name as "fileName", definition_hash as hash, summary from millrace.dag
      where file_name > ${after} order by file_name limit ${limits.specsPerRead}`
    const texts = await readTexts(db, rows)
    for (const { fileName, hash, summary } of rows) {
      // Files are large: others get their turn in between.
      await setImmediate()
      found.look(texts.get(hash) ?? '', () => ({ name: fileName, dag: maskedSummary(summary) }))
      if (found.isFull) return found.all
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < limits.specsPerRead) return found.all
    after = last.fileName
  }
}

async function readTexts(db: Database, rows: readonly Row[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const { hash } of rows) {
    const known = maskedTexts.get(hash)
    if (known !== undefined) texts.set(hash, known)
  }
  const missing = rows.map(({ hash }) => hash).filter((hash) => !texts.has(hash))
  if (missing.length === 0) return texts
  const read = await db.sql<{ hash: string; spec: string }[]>`
    select hash, spec from millrace.definition where hash in ${db.sql(missing)}`
  for (const { hash, spec } of read) {
    const text = maskSpec(spec)
    maskedTexts.set(hash, text, text.length)
    texts.set(hash, text)
  }
  return texts
}
