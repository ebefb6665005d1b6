import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dag, definition } from '#lib/db/schema.ts'
import { literalPattern } from './literal-pattern.ts'
import { wholeSummary, type DagSummary, type StoredSummary } from './summarize-dag.ts'

export interface Match {
  /** The matching line with its neighbours. */
  readonly line: string
  /** Counted from 1. */
  readonly lineNumber: number
  readonly startLine: number
}

/** A DAG with the places where a text occurs. */
export interface FoundDag {
  readonly name: string
  readonly dag: DagSummary
  readonly matches: Match[]
}

const linesAround = 2

/**
 * Searches the specs of all DAGs for a literal text, ignoring case; sorted by file name. Ends when what it found fills
 * an answer.
 */
export async function searchDags(db: Database, input: { text: string }): Promise<FoundDag[]> {
  const found = new FoundDags(input.text)
  for (let after = ''; ;) {
    const rows = await readPage(db, input.text, after)
    for (const { fileName, summary, spec } of rows) {
      // Files are large: others get their turn in between.
      await setImmediate()
      found.look(spec, () => ({ name: fileName, dag: wholeSummary(summary as StoredSummary) }))
      if (found.isFull) return found.all
      after = fileName
    }
    if (rows.length < limits.specsPerRead) return found.all
  }
}

/** What a search has found: at most `limits.searchResultsMax` DAGs, and so much text that an answer can hold it. */
export class FoundDags {
  readonly all: FoundDag[] = []
  readonly #text: string
  #room: number = limits.searchAnswerLengthMax

  constructor(text: string) {
    this.#text = text
  }

  get isFull(): boolean {
    return this.#room <= 0 || this.all.length >= limits.searchResultsMax
  }

  look(spec: string, about: () => Omit<FoundDag, 'matches'>): void {
    const matches: Match[] = []
    for (const match of matchesIn(spec, this.#text)) {
      matches.push(match)
      this.#room -= match.line.length
      if (matches.length >= limits.searchMatchesMax || this.#room <= 0) break
    }
    if (matches.length === 0) return
    const dag = about()
    this.#room -= JSON.stringify(dag).length
    this.all.push({ ...dag, matches })
  }
}

function readPage(db: Database, text: string, after: string) {
  return orm(db)
    .select({ fileName: dag.fileName, summary: dag.summary, spec: definition.spec })
    .from(dag)
    .innerJoin(definition, eq(definition.hash, dag.definitionHash))
    .where(and(gt(dag.fileName, after), sql`${definition.spec} ilike ${literalPattern(text)}`))
    .orderBy(asc(dag.fileName))
    .limit(limits.specsPerRead)
}

/** The lines of a spec that contain a text, in any case. */
function* matchesIn(spec: string, text: string): Generator<Match> {
  const lines = spec.replace(/\r?\n$/, '').split(/\r?\n/)
  const wanted = text.toLowerCase()
  for (const [index, line] of lines.entries()) {
    if (!line.toLowerCase().includes(wanted)) continue
    const start = Math.max(0, index - linesAround)
    yield {
      line: lines.slice(start, index + linesAround + 1).join('\n'),
      lineNumber: index + 1,
      startLine: start + 1,
    }
  }
}
