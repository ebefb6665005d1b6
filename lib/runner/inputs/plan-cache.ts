import { limits } from '#lib/core/limits.ts'
import { RecentlyUsed } from '#lib/core/recently-used.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'
import { openingSteps, type OpeningStep } from '#lib/engine/opening.ts'
import { planRun, type Plan } from '#lib/engine/plan.ts'
import type { ClaimedRun, KnownDefinitions } from '#lib/runs/claim/claim-runs.ts'

/**
 * The text that a run is made from, identified by its hash and the name of its file. The file name is the name of the
 * DAG when the text gives none.
 */
export interface DefinitionText {
  readonly hash: string
  readonly fileName: string
  /** Undefined when the claim did not send it, because this runner had listed the hash as known. */
  readonly spec: string | undefined
  readonly base: string | undefined
}

/** The definition text of a claimed run. */
export function textOf(run: ClaimedRun): DefinitionText {
  const { definitionHash: hash, fileName = run.dagName, spec, baseSpec: base } = run
  return { hash, fileName, spec, base }
}

/** A parsed definition: the plan of its first DAG, and those of its local DAGs, each created when it first runs. */
interface Read {
  readonly text: DefinitionText & { readonly spec: string }
  readonly plan: Plan
  readonly opening: readonly OpeningStep[]
  readonly localDags: readonly Definition[]
  readonly localPlans: Map<string, Plan>
}

type ReadText = (hash: string) => Promise<Pick<Read['text'], 'spec' | 'base'>>

/** Caches the definitions that ran last, so that a DAG that runs often is parsed once. */
export class PlanCache {
  /** By hash and file name, because several files may hold the same text. */
  readonly #read = new RecentlyUsed<Read>(limits.definitionCacheBytes)
  readonly #readText: ReadText

  /** @param readText reads a text again that was not sent, because it was cached, but has been evicted since */
  constructor(readText: ReadText) {
    this.#readText = readText
  }

  /** Those used last, whose text a claim need not send, with the steps that it begins. */
  known(): KnownDefinitions {
    return Object.fromEntries(
      this.#read
        .values()
        .slice(-limits.knownDefinitionsMax)
        .map(({ text, opening }) => [text.hash, opening]),
    )
  }

  /**
   * The plan of a DAG.
   * @param document the name of a local DAG; undefined: the first DAG of the file
   * @throws Error when the definition has faults, or has no such DAG
   */
  async plan(text: DefinitionText, document: string | undefined): Promise<Plan> {
    const read = await this.#definition(text)
    if (document === undefined) return read.plan
    let plan = read.localPlans.get(document)
    if (plan === undefined) {
      const dag = read.localDags.find(({ name }) => name === document)
      if (dag === undefined) throw new Error(`the file has no DAG ${JSON.stringify(document)}`)
      plan = planRun(dag)
      read.localPlans.set(document, plan)
    }
    return plan
  }

  /** A local DAG, and the text in which it is defined. */
  async localDag(
    text: DefinitionText,
    name: string,
  ): Promise<{ dag: Definition; text: Read['text'] } | undefined> {
    const read = await this.#definition(text)
    const dag = read.localDags.find((local) => local.name === name)
    return dag && { dag, text: read.text }
  }

  async #definition(text: DefinitionText): Promise<Read> {
    const key = `${text.hash}/${text.fileName}`
    const whole = this.#read.get(key)?.text ?? (await this.#wholeText(text))
    // Another run may have read it in the meantime.
    const known = this.#read.get(key)
    if (known !== undefined) return known
    const read = parse(whole)
    this.#read.set(key, read, whole.spec.length + (whole.base?.length ?? 0))
    return read
  }

  async #wholeText({ hash, fileName, spec, base }: DefinitionText): Promise<Read['text']> {
    if (spec !== undefined) return { hash, fileName, spec, base }
    const same = this.#read.values().find(({ text }) => text.hash === hash)
    const found = same?.text ?? (await this.#readText(hash))
    return { hash, fileName, spec: found.spec, base: found.base }
  }
}

function parse(text: Read['text']): Read {
  const { spec, fileName, base } = text
  const { dag, localDags, problems } = readSpec(spec, base === undefined ? { fileName } : { fileName, base })
  const [problem] = problems
  if (problem !== undefined) throw new Error(`the definition is not valid: ${formatProblem(problem)}`)
  const plan = planRun(dag)
  return { text, plan, opening: openingSteps(plan), localDags, localPlans: new Map() }
}
