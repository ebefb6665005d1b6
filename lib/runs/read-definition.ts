import { invariant, notFound } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { Definition, SpecReading } from '#lib/definition/definition.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import { readRunSpec } from './read-run-spec.ts'
import type { RunRecord } from './run-record.ts'

/** A text by its content hash, and the name that its first DAG has when the text gives none. */
export interface SpecText {
  readonly hash: string
  readonly spec: string
  readonly base: string | undefined
  readonly fileName: string
}

/**
 * Reads definitions and keeps what it has read. A hash names its text for ever, so nothing that is kept can be out of
 * date; what was used longest ago goes first when the texts kept exceed `limits.definitionCacheBytes`.
 */
export interface DefinitionReader {
  parse(text: SpecText): SpecReading
  /** What was parsed last under the name of a file, if it is still kept: another process may have changed the file. */
  lastOf(fileName: string): { readonly hash: string; readonly reading: SpecReading } | undefined
  /** The definition that a run was made from: that of its file, or of a local DAG in it. */
  read(db: Database, run: RunRecord): Promise<Definition>
}

export function createDefinitionReader(): DefinitionReader {
  const kept = new Map<string, { reading: SpecReading; bytes: number; fileName: string }>()
  const lastHashes = new Map<string, string>()
  let bytes = 0

  const find = (key: string): SpecReading | undefined => {
    const entry = kept.get(key)
    if (entry === undefined) return undefined
    kept.delete(key)
    kept.set(key, entry)
    return entry.reading
  }

  const keep = (key: string, text: SpecText): SpecReading => {
    const { spec, base, fileName } = text
    const reading = readSpec(spec, base === undefined ? { fileName } : { fileName, base })
    const entry = { reading, bytes: spec.length + (base?.length ?? 0) + 1_000, fileName }
    kept.set(key, entry)
    bytes += entry.bytes
    for (const [oldest, { bytes: freed, fileName: name }] of kept) {
      if (bytes <= limits.definitionCacheBytes || oldest === key) break
      kept.delete(oldest)
      bytes -= freed
      if (oldest === keyOf(lastHashes.get(name) ?? 'none', name)) lastHashes.delete(name)
    }
    return reading
  }

  return {
    parse(text) {
      const key = keyOf(text.hash, text.fileName)
      lastHashes.set(text.fileName, text.hash)
      return find(key) ?? keep(key, text)
    },
    lastOf(fileName) {
      const hash = lastHashes.get(fileName)
      const reading = hash && find(keyOf(hash, fileName))
      return hash && reading ? { hash, reading } : undefined
    },
    async read(db, run) {
      const fileName = run.document === undefined ? run.dagName : run.root.dagName
      const key = keyOf(run.definitionHash, fileName)
      const reading =
        find(key) ??
        keep(key, { ...(await readRunSpec(db, run.definitionHash)), hash: run.definitionHash, fileName })
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
