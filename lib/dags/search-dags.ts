import { asc, eq, sql } from 'drizzle-orm'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dag, definition } from '#lib/db/schema.ts'
import { literalPattern } from './literal-pattern.ts'
import type { DagSummary } from './summarize-dag.ts'

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
  const rows = await orm(db)
    .select({ fileName: dag.fileName, summary: dag.summary, spec: definition.spec })
    .from(dag)
    .innerJoin(definition, eq(definition.hash, dag.definitionHash))
    .where(sql`${definition.spec} ilike ${literalPattern(input.text)}`)
    .orderBy(asc(dag.fileName))
    .limit(limits.searchResultsMax)
  return rows
    .map(({ fileName, summary, spec }) => ({
      name: fileName,
      dag: summary as DagSummary,
      matches: findMatches(spec, input.text),
    }))
    .filter((result) => result.matches.length > 0)
}

/** The lines of a spec that contain a text, in any case. */
export function findMatches(spec: string, text: string): Match[] {
  const lines = spec.replace(/\r?\n$/, '').split(/\r?\n/)
  const wanted = text.toLowerCase()
  const places = lines.flatMap((line, place) => (line.toLowerCase().includes(wanted) ? [place] : []))
  return places.slice(0, limits.searchMatchesMax).map((place) => {
    const start = Math.max(0, place - linesAround)
    return {
      line: lines.slice(start, place + linesAround + 1).join('\n'),
      lineNumber: place + 1,
      startLine: start + 1,
    }
  })
}
