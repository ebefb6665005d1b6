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

/** Searches the specs of all DAGs for a literal text, ignoring case; sorted by file name. */
export async function searchDags(db: Database, input: { text: string }): Promise<FoundDag[]> {
  const found: FoundDag[] = []
  for (let after = ''; ;) {
    const rows = await readPage(db, input.text, after)
    for (const { fileName, summary, spec } of rows) {
      // Files are large: others get their turn in between.
      await setImmediate()
      const matches = findMatches(spec, input.text)
      if (matches.length > 0)
        found.push({ name: fileName, dag: wholeSummary(summary as StoredSummary), matches })
      after = fileName
    }
    if (rows.length < limits.specsPerRead || found.length >= limits.searchResultsMax) {
      return found.slice(0, limits.searchResultsMax)
    }
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
export function findMatches(spec: string, text: string): Match[] {
  const lines = spec.replace(/\r?\n$/, '').split(/\r?\n/)
  const wanted = text.toLowerCase()
  const indices = lines.flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index] : []))
  return indices.slice(0, limits.searchMatchesMax).map((index) => {
    const start = Math.max(0, index - linesAround)
    return {
      line: lines.slice(start, index + linesAround + 1).join('\n'),
      lineNumber: index + 1,
      startLine: start + 1,
    }
  })
}
