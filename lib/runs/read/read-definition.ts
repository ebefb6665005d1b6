import { invariant, notFound } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { RecentlyUsed } from '#lib/core/recently-used.ts'
import type { Database } from '#lib/db/client.ts'
import type { Definition, SpecReading } from '#lib/definition/definition.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'
import { openingSteps, type OpeningStep } from '#lib/engine/opening.ts'
import { planRun, type Plan } from '#lib/engine/plan.ts'
import { readRunSpec } from './read-run-spec.ts'
import type { RunRecord } from './run-record.ts'

/** A definition by its content hash, and the name of its first DAG if the text has none. */
export interface DefinitionRef {
  readonly hash: string
  readonly fileName: string
  /** Undefined: read by hash, unless cached. */
  readonly spec?: string | undefined
  readonly base?: string | undefined
}

export type DefinitionText = DefinitionRef & { readonly spec: string }

/** Opening steps by the hash of the definition. */
export type KnownDefinitions = Readonly<Record<string, readonly OpeningStep[]>>

/**
 * Parses definitions and caches them by content hash and name, so no entry can be stale. The least recently used ones
 * are evicted when the cached texts exceed `limits.definitionCacheBytes`.
 */
export interface DefinitionReader {
  parse(text: DefinitionText): SpecReading
  /** The definition last parsed for a file name, if still cached. Another process may have changed the file since. */
  lastOf(fileName: string): { readonly hash: string; readonly reading: SpecReading } | undefined
  /** The definition of a run: the first DAG of its file, or a local DAG in it. */
  read(db: Database, run: RunRecord): Promise<Definition>
  /**
   * The graph of a DAG, built at the first call.
   * @param document the name of a local DAG; undefined: the first DAG of the file
   * @throws Error when the definition has errors, or no such DAG
   */
  plan(db: Database, ref: DefinitionRef, document: string | undefined): Promise<Plan>
  /** A local DAG and the text that defines it; undefined if there is none of that name. */
  localDag(
    db: Database,
    ref: DefinitionRef,
    name: string,
  ): Promise<{ readonly dag: Definition; readonly text: DefinitionText } | undefined>
  /** The most recently used definitions: a claim omits their text, and records their opening steps as running. */
  known(): KnownDefinitions
}

interface Cached {
  readonly text: DefinitionText
  readonly reading: SpecReading
  /** By the name of the local DAG; undefined for the first DAG. */
  readonly plans: Map<string | undefined, Plan>
  opening?: readonly OpeningStep[]
}

/** Maximum number of file names whose last hash is kept; larger than the number of cached definitions. */
const lastHashesMax = 10_000

export function createDefinitionReader(): DefinitionReader {
  const cache = new RecentlyUsed<Cached>(limits.definitionCacheBytes)
  const lastHashes = new RecentlyUsed<string>(lastHashesMax)

  const parsed = (text: DefinitionText): Cached => {
    const { spec, base, fileName } = text
    const cached = cache.get(keyOf(text))
    if (cached !== undefined) return cached
    const reading = readSpec(spec, base === undefined ? { fileName } : { fileName, base })
    const entry = { text, reading, plans: new Map<string | undefined, Plan>() }
    cache.set(keyOf(text), entry, spec.length + (base?.length ?? 0) + 1_000)
    return entry
  }

  /** Concurrent reads of a definition share one query. */
  const pending = new Map<string, Promise<Cached>>()
  const find = async (db: Database, ref: DefinitionRef): Promise<Cached> => {
    const { spec } = ref
    if (spec !== undefined) return parsed({ ...ref, spec })
    const key = keyOf(ref)
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const loading =
      pending.get(key) ??
      readRunSpec(db, ref.hash)
        .then((text) => parsed({ ...ref, ...text }))
        .finally(() => pending.delete(key))
    pending.set(key, loading)
    return loading
  }

  return {
    parse(text) {
      lastHashes.set(text.fileName, text.hash, 1)
      return parsed(text).reading
    },
    lastOf(fileName) {
      const hash = lastHashes.get(fileName)
      const reading = hash && cache.get(keyOf({ hash, fileName }))?.reading
      return hash && reading ? { hash, reading } : undefined
    },
    async read(db, { definitionHash: hash, document, dagName, root }) {
      const fileName = document === undefined ? dagName : root.dagName
      return dagIn((await find(db, { hash, fileName })).reading, document)
    },
    async plan(db, ref, document) {
      return planOf(await find(db, ref), document)
    },
    async localDag(db, ref, name) {
      const { reading, text } = await find(db, ref)
      const dag = reading.localDags.find((local) => local.name === name)
      return dag && { dag, text }
    },
    known: () =>
      Object.fromEntries(
        cache
          .values()
          .slice(-limits.knownDefinitionsMax)
          .map((cached) => [cached.text.hash, (cached.opening ??= openingOf(cached))]),
      ),
  }
}

function dagIn({ dag, localDags }: SpecReading, document: string | undefined): Definition {
  const found = document === undefined ? dag : localDags.find(({ name }) => name === document)
  if (found === undefined) throw notFound('local DAG', document ?? '')
  return found
}

function planOf({ reading, plans }: Cached, document: string | undefined): Plan {
  const [problem] = reading.problems
  if (problem !== undefined) throw new Error(`the definition is not valid: ${formatProblem(problem)}`)
  const plan = plans.get(document) ?? planRun(dagIn(reading, document))
  plans.set(document, plan)
  return plan
}

/** A definition with errors has no opening steps. */
function openingOf(cached: Cached): readonly OpeningStep[] {
  return cached.reading.problems.length > 0 ? [] : openingSteps(planOf(cached, undefined))
}

function keyOf({ hash, fileName }: Pick<DefinitionRef, 'hash' | 'fileName'>): string {
  invariant(hash !== '', 'a definition has a hash')
  return `${hash}/${fileName}`
}
