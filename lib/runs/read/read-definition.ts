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

/** A definition by its content hash, and the name for its first DAG when the text gives none. */
export interface DefinitionRef {
  readonly hash: string
  readonly fileName: string
  /** Undefined: read by the hash, unless the definition is cached. */
  readonly spec?: string | undefined
  readonly base?: string | undefined
}

/** A definition with its text. */
export type DefinitionText = DefinitionRef & { readonly spec: string }

/** The steps with which every run of a definition opens, by its hash. */
export type KnownDefinitions = Readonly<Record<string, readonly OpeningStep[]>>

/**
 * Parses definitions and caches them by content hash and name, so no entry can be stale. The least recently used ones
 * are evicted when the cached texts exceed `limits.definitionCacheBytes`.
 */
export interface DefinitionReader {
  parse(text: DefinitionText): SpecReading
  /**
   * The last definition parsed for a file name, while it is cached. Another process may have changed the file since.
   */
  lastOf(fileName: string): { readonly hash: string; readonly reading: SpecReading } | undefined
  /** The definition of a run: that of its file, or of a local DAG in the file. */
  read(db: Database, run: RunRecord): Promise<Definition>
  /**
   * The graph of a DAG, built when it is first asked for.
   * @param document the name of a local DAG; undefined: the first DAG of the file
   * @throws Error when the definition has faults, or has no such DAG
   */
  plan(db: Database, ref: DefinitionRef, document: string | undefined): Promise<Plan>
  /** A local DAG, and the text in which it is defined. */
  localDag(
    db: Database,
    ref: DefinitionRef,
    name: string,
  ): Promise<{ readonly dag: Definition; readonly text: DefinitionText } | undefined>
  /** The definitions used last, whose text a claim need not send, with the steps that it begins. */
  known(): KnownDefinitions
}

interface Cached {
  readonly text: DefinitionText
  readonly reading: SpecReading
  /** By the name of the local DAG; that of the first DAG has none. */
  readonly plans: Map<string | undefined, Plan>
  opening?: readonly OpeningStep[]
}

/** Number of file names whose last hash is remembered; there are fewer cached definitions than that. */
const lastHashesMax = 10_000

export function createDefinitionReader(): DefinitionReader {
  const kept = new RecentlyUsed<Cached>(limits.definitionCacheBytes)
  const lastHashes = new RecentlyUsed<string>(lastHashesMax)

  const parsed = (text: DefinitionText): Cached => {
    const { spec, base, fileName } = text
    const known = kept.get(keyOf(text))
    if (known !== undefined) return known
    const reading = readSpec(spec, base === undefined ? { fileName } : { fileName, base })
    const cached = { text, reading, plans: new Map<string | undefined, Plan>() }
    kept.set(keyOf(text), cached, spec.length + (base?.length ?? 0) + 1_000)
    return cached
  }

  /** Anyone who waits for the text of one definition shares its reading. */
  const pending = new Map<string, Promise<Cached>>()
  const find = async (db: Database, ref: DefinitionRef): Promise<Cached> => {
    const { spec } = ref
    if (spec !== undefined) return parsed({ ...ref, spec })
    const key = keyOf(ref)
    const known = kept.get(key)
    if (known !== undefined) return known
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
      const reading = hash && kept.get(keyOf({ hash, fileName }))?.reading
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
        kept
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

/** A definition with faults begins nothing. */
function openingOf(cached: Cached): readonly OpeningStep[] {
  return cached.reading.problems.length > 0 ? [] : openingSteps(planOf(cached, undefined))
}

function keyOf({ hash, fileName }: Pick<DefinitionRef, 'hash' | 'fileName'>): string {
  invariant(hash !== '', 'a definition has a hash')
  return `${hash}/${fileName}`
}
