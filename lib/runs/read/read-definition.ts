import { invariant, notFound } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { RecentlyUsed } from '#lib/core/recently-used.ts'
import type { Database } from '#lib/db/client.ts'
import type { Definition, SpecReading } from '#lib/definition/definition.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import { readRunSpec } from './read-run-spec.ts'
import type { RunRecord } from './run-record.ts'

/** A text with its content hash, and the name for its first DAG when the text gives none. */
export interface SpecText {
  readonly hash: string
  readonly spec: string
  readonly base: string | undefined
  readonly fileName: string
}

/**
 * Parses definitions and caches the results by content hash, so no entry can be stale. The least recently used ones are
 * evicted when the cached texts exceed `limits.definitionCacheBytes`.
 */
export interface DefinitionReader {
  parse(text: SpecText): SpecReading
  /**
   * The last definition parsed for a file name, while it is cached. Another process may have changed the file since.
   */
  lastOf(fileName: string): { readonly hash: string; readonly reading: SpecReading } | undefined
  /** The definition of a run: that of its file, or of a local DAG in the file. */
  read(db: Database, run: RunRecord): Promise<Definition>
}

/** Number of file names whose last hash is remembered; there are fewer cached definitions than that. */
const lastHashesMax = 10_000

export function createDefinitionReader(): DefinitionReader {
  const kept = new RecentlyUsed<SpecReading>(limits.definitionCacheBytes)
  const lastHashes = new RecentlyUsed<string>(lastHashesMax)

  const keep = (key: string, { spec, base, fileName }: SpecText): SpecReading => {
    const reading = readSpec(spec, base === undefined ? { fileName } : { fileName, base })
    kept.set(key, reading, spec.length + (base?.length ?? 0) + 1_000)
    return reading
  }

  /** Runs of one definition are read together: it is parsed once for all. */
  const pending = new Map<string, Promise<SpecReading>>()
  const load = (db: Database, hash: string, fileName: string): Promise<SpecReading> => {
    const key = keyOf(hash, fileName)
    const loading =
      pending.get(key) ??
      readRunSpec(db, hash)
        .then((text) => keep(key, { ...text, hash, fileName }))
        .finally(() => pending.delete(key))
    pending.set(key, loading)
    return loading
  }

  return {
    parse(text) {
      const key = keyOf(text.hash, text.fileName)
      lastHashes.set(text.fileName, text.hash, 1)
      return kept.get(key) ?? keep(key, text)
    },
    lastOf(fileName) {
      const hash = lastHashes.get(fileName)
      const reading = hash && kept.get(keyOf(hash, fileName))
      return hash && reading ? { hash, reading } : undefined
    },
    async read(db, run) {
      const fileName = run.document === undefined ? run.dagName : run.root.dagName
      const hash = run.definitionHash
      const reading = kept.get(keyOf(hash, fileName)) ?? (await load(db, hash, fileName))
      if (run.document === undefined) return reading.dag
      const local = reading.localDags.find((dag) => dag.name === run.document)
      if (local === undefined) throw notFound('local DAG', run.document)
      return local
    },
  }
}

const keyOf = (hash: string, fileName: string): string => {
  invariant(hash !== '', 'a definition has a hash')
  return `${hash}/${fileName}`
}
