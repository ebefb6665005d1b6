import type { Definition } from '#lib/definition/definition.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'
import { planRun, type Plan } from '#lib/engine/plan.ts'

/**
 * What a run begins and ends with: the text of its file and of the base configuration, named by their content. Two
 * files may hold the same text, so the name of the DAG must come from the run.
 */
export interface DefinitionText {
  readonly hash: string
  readonly fileName: string
  /** Undefined: the claim knew that this runner has read it before. */
  readonly spec: string | undefined
  readonly base: string | undefined
}

/** A definition as read, with a plan for each of its DAGs, made when it is first run. */
interface Read {
  readonly text: DefinitionText & { readonly spec: string }
  readonly dag: Definition
  readonly localDags: readonly Definition[]
  readonly plans: Map<string, Plan>
}

const keptCharactersMax = 8_388_608

/** Keeps the definitions that were run last, so that a DAG that runs often is read once. */
export class PlanCache {
  readonly #read = new Map<string, Read>()
  #characters = 0

  /** The definitions that a claim need not send again. */
  hashes(): string[] {
    return [...this.#read.keys()]
  }

  /**
   * The plan of a DAG of a definition.
   * @param document the name of a local DAG; undefined: the first of the file
   * @throws Error when the definition has faults, or no such DAG
   */
  plan(text: DefinitionText, document: string | undefined): Plan {
    const read = this.#definition(text)
    const key = document ?? ''
    let plan = read.plans.get(key)
    if (plan === undefined) {
      const dag = document === undefined ? read.dag : read.localDags.find(({ name }) => name === document)
      if (dag === undefined) throw new Error(`the file has no DAG ${JSON.stringify(document)}`)
      plan = planRun(dag)
      read.plans.set(key, plan)
    }
    return plan
  }

  /** A DAG of the same file as one that was planned before, and the text that they stand in. */
  localDag(
    hash: string,
    name: string,
  ): { dag: Definition; text: DefinitionText & { spec: string } } | undefined {
    const read = this.#read.get(hash)
    const dag = read?.localDags.find((local) => local.name === name)
    return read === undefined || dag === undefined ? undefined : { dag, text: read.text }
  }

  #definition(text: DefinitionText): Read {
    const known = this.#read.get(text.hash)
    this.#read.delete(text.hash)
    const read = known ?? this.#parse(text)
    this.#read.set(text.hash, read)
    if (known === undefined) this.#makeRoom(read)
    return read
  }

  #makeRoom(read: Read): void {
    this.#characters += lengthOf(read)
    for (const [hash, oldest] of this.#read) {
      if (this.#characters <= keptCharactersMax || oldest === read) break
      this.#read.delete(hash)
      this.#characters -= lengthOf(oldest)
    }
  }

  #parse(text: DefinitionText): Read {
    const { spec, fileName, base } = text
    if (spec === undefined) throw new Error('the text of the definition was not sent')
    const { dag, localDags, problems } = readSpec(
      spec,
      base === undefined ? { fileName } : { fileName, base },
    )
    const [problem] = problems
    if (problem !== undefined) throw new Error(`the definition is not valid: ${formatProblem(problem)}`)
    return { text: { ...text, spec }, dag, localDags, plans: new Map() }
  }
}

function lengthOf({ text }: Read): number {
  return text.spec.length + (text.base?.length ?? 0)
}
